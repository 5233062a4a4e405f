// Meshes in FCL: the two kinds of trees that it does not rebuild for every pose. It has no question for a tolerance.

#include "mesh_rival.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

typedef fcl::CollisionGeometry<double> Geometry;
typedef fcl::Transform3<double> Transform;

struct Pair {
    const Geometry *a, *b;
    Transform pose_a, pose_b;
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

template <typename Bound>
void *body(const double *points, std::size_t point_count, const std::uint32_t *triangles,
           std::size_t triangle_count) try {
    std::vector<fcl::Vector3<double>> positions;
    for (std::size_t v = 0; v < point_count; ++v) {
        positions.emplace_back(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
    }
    std::vector<fcl::Triangle> faces;
    for (std::size_t t = 0; t < triangle_count; ++t) {
        faces.emplace_back(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    }
    std::unique_ptr<fcl::BVHModel<Bound>> model(new fcl::BVHModel<Bound>);
    model->beginModel(int(triangle_count), int(point_count));
    model->addSubModel(positions, faces);
    if (model->endModel() != fcl::BVH_OK) return nullptr;
    model->computeLocalAABB();
    return static_cast<Geometry *>(model.release());
} catch (...) {
    return nullptr;
}

void drop_body(void *it) { delete static_cast<Geometry *>(it); }

Transform transform(const double *pose) {
    Transform to = Transform::Identity();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) to.linear()(row, column) = pose[3 * row + column];
        to.translation()(row) = pose[9 + row];
    }
    return to;
}

void *pair(void *a, const double *pose_a, void *b, const double *pose_b) {
    return new Pair{static_cast<Geometry *>(a), static_cast<Geometry *>(b), transform(pose_a), transform(pose_b)};
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

std::int64_t up_to(void *it, std::size_t most) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const fcl::CollisionRequest<double> request(most);
    fcl::CollisionResult<double> result;
    fcl::collide<double>(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
    return std::int64_t(result.numContacts());
} catch (...) {
    return -1;
}

int meets(void *it) { return int(up_to(it, 1)); }

std::int64_t contacts(void *it) { return up_to(it, std::size_t(1) << 30); }

double distance(void *it) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const fcl::DistanceRequest<double> request(true);
    fcl::DistanceResult<double> result;
    return fcl::distance<double>(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
} catch (...) {
    return NAN;
}

const MeshRival RIVALS[] = {
    {"FCL OBBRSS", body<fcl::OBBRSS<double>>, drop_body, pair, drop_pair, meets, nullptr, distance, contacts},
    // It has no distances of oriented boxes alone.
    {"FCL OBB", body<fcl::OBB<double>>, drop_body, pair, drop_pair, meets, nullptr, nullptr, contacts},
};

}  // namespace

extern "C" const MeshRival *mesh_rivals_fcl(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
