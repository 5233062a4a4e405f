// Meshes in coal: the two kinds of trees that it does not rebuild for every pose.

#include "mesh_rival.h"

#include <coal/BV/OBB.h>
#include <coal/BV/OBBRSS.h>
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Pair {
    const coal::CollisionGeometry *a, *b;
    coal::Transform3s pose_a, pose_b;
};

template <typename Bound>
void *body(const double *points, std::size_t point_count, const std::uint32_t *triangles,
           std::size_t triangle_count) try {
    std::vector<coal::Vec3s> positions;
    for (std::size_t v = 0; v < point_count; ++v) {
        positions.emplace_back(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
    }
    std::vector<coal::Triangle> faces;
    for (std::size_t t = 0; t < triangle_count; ++t) {
        faces.emplace_back(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    }
    std::unique_ptr<coal::BVHModel<Bound>> model(new coal::BVHModel<Bound>);
    model->beginModel(unsigned(triangle_count), unsigned(point_count));
    model->addSubModel(positions, faces);
    if (model->endModel() != coal::BVH_OK) return nullptr;
    model->computeLocalAABB();
    return static_cast<coal::CollisionGeometry *>(model.release());
} catch (...) {
    return nullptr;
}

void drop_body(void *it) { delete static_cast<coal::CollisionGeometry *>(it); }

coal::Transform3s transform(const double *pose) {
    coal::Matrix3s rotation;
    for (int i = 0; i < 9; ++i) rotation(i / 3, i % 3) = pose[i];
    return coal::Transform3s(rotation, coal::Vec3s(pose[9], pose[10], pose[11]));
}

void *pair(void *a, const double *pose_a, void *b, const double *pose_b) {
    return new Pair{static_cast<coal::CollisionGeometry *>(a), static_cast<coal::CollisionGeometry *>(b),
                    transform(pose_a), transform(pose_b)};
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

std::int64_t contacts_within(void *it, double margin, std::size_t most) try {
    const Pair &pair = *static_cast<Pair *>(it);
    coal::CollisionRequest request(coal::NO_REQUEST, most);
    request.security_margin = margin;
    coal::CollisionResult result;
    coal::collide(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
    return std::int64_t(result.numContacts());
} catch (...) {
    return -1;
}

int meets(void *it) { return int(contacts_within(it, 0.0, 1)); }

int within(void *it, double distance) { return int(contacts_within(it, distance, 1)); }

std::int64_t contacts(void *it) { return contacts_within(it, 0.0, std::size_t(1) << 30); }

double distance(void *it) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    return coal::distance(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
} catch (...) {
    return NAN;
}

const MeshRival RIVALS[] = {
    {"coal OBBRSS", body<coal::OBBRSS>, drop_body, pair, drop_pair, meets, within, distance, contacts},
    // It has no distances of oriented boxes alone.
    {"coal OBB", body<coal::OBB>, drop_body, pair, drop_pair, meets, within, nullptr, contacts},
};

}  // namespace

extern "C" const MeshRival *mesh_rivals_coal(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
