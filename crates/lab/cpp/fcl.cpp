// FCL with its default solver.

#include "rival.h"

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

typedef fcl::Convex<double> Convex;
typedef fcl::Transform3<double> Transform;

struct World {
    std::vector<std::unique_ptr<Convex>> bodies;
};

struct Pair {
    const Convex *a, *b;
    Transform pose_a, pose_b;
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

std::unique_ptr<Convex> convex(const RivalBody &from) {
    auto points = std::make_shared<std::vector<fcl::Vector3<double>>>();
    for (std::size_t v = 0; v < from.point_count; ++v) {
        const double *p = &from.points[3 * v];
        points->emplace_back(p[0], p[1], p[2]);
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t t = 0; t < from.triangle_count; ++t) {
        const std::uint32_t *corners = &from.triangles[3 * t];
        faces->insert(faces->end(), {3, int(corners[0]), int(corners[1]), int(corners[2])});
    }
    return std::unique_ptr<Convex>(new Convex(points, int(from.triangle_count), faces, true));
}

void *world(const RivalBody *bodies, std::size_t count) try {
    std::unique_ptr<World> world(new World);
    for (std::size_t i = 0; i < count; ++i) {
        world->bodies.push_back(convex(bodies[i]));
        world->bodies.back()->computeLocalAABB();
    }
    return world.release();
} catch (...) {
    return nullptr;
}

void drop_world(void *it) { delete static_cast<World *>(it); }

Transform transform(const double *pose) {
    Transform to = Transform::Identity();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) to.linear()(row, column) = pose[3 * row + column];
        to.translation()(row) = pose[9 + row];
    }
    return to;
}

void *pair(void *in, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b) {
    const World &world = *static_cast<World *>(in);
    return new Pair{world.bodies[a].get(), world.bodies[b].get(), transform(pose_a), transform(pose_b)};
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

int meets(void *it) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const fcl::CollisionRequest<double> request;
    fcl::CollisionResult<double> result;
    fcl::collide<double>(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
    return result.isCollision();
} catch (...) {
    return -1;
}

double distance(void *it) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const fcl::DistanceRequest<double> request(true);
    fcl::DistanceResult<double> result;
    return fcl::distance<double>(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
} catch (...) {
    return NAN;
}

double depth(void *it) try {
    const Pair &pair = *static_cast<Pair *>(it);
    const fcl::CollisionRequest<double> request(1, true);
    fcl::CollisionResult<double> result;
    fcl::collide<double>(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
    return result.isCollision() ? result.getContact(0).penetration_depth : NAN;
} catch (...) {
    return NAN;
}

const Rival RIVALS[] = {
    {"FCL", world, drop_world, pair, drop_pair, meets, nullptr, nullptr, nullptr, distance, depth},
};

}  // namespace

extern "C" const Rival *rivals_fcl(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
