// FCL with its default solver.

#include "fcl_convex.h"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using fcl_convex::Convex;
using fcl_convex::Transform;
using fcl_convex::convex;
using fcl_convex::transform;

struct World {
    std::vector<std::unique_ptr<Convex>> bodies;
};

struct Pair {
    const Convex *a, *b;
    Transform pose_a, pose_b;
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

void *world(const RivalBody *bodies, std::size_t count) try {
    std::unique_ptr<World> world(new World);
    for (std::size_t i = 0; i < count; ++i) world->bodies.push_back(convex(bodies[i]));
    return world.release();
} catch (...) {
    return nullptr;
}

void drop_world(void *it) { delete static_cast<World *>(it); }

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
