// Bullet: its GJK with the penetration solver that belongs to it, from nothing or from the separating axis of the frame before.

#include "bullet_convex.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <vector>

namespace {

struct World {
    std::vector<std::unique_ptr<btConvexHullShape>> shapes;
};

struct Pair {
    const btConvexShape *a;
    const btConvexShape *b;
    btGjkPairDetector::ClosestPointInput input;
};

struct Memory {
    btVector3 axis;
};

// Where its detector begins.
const btVector3 FIRST_AXIS(0, 1, 0);

void *world(const RivalBody *bodies, std::size_t count) {
    std::unique_ptr<World> world(new World);
    for (std::size_t i = 0; i < count; ++i) world->shapes.push_back(convex(bodies[i]));
    return world.release();
}

void drop_world(void *it) { delete static_cast<World *>(it); }

void *pair(void *in, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b) {
    const World &world = *static_cast<World *>(in);
    std::unique_ptr<Pair> pair(new Pair);
    pair->a = world.shapes[a].get();
    pair->b = world.shapes[b].get();
    pair->input.m_transformA = transform(pose_a);
    pair->input.m_transformB = transform(pose_b);
    return pair.release();
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

// The distance, negative where the bodies overlap; large where they are found to be apart by more than asked.
btScalar signed_distance(const Pair &pair, btScalar most_squared, btVector3 &axis) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depths;
    btGjkPairDetector detector(pair.a, pair.b, &simplex, &depths);
    detector.setCachedSeparatingAxis(axis);
    btGjkPairDetector::ClosestPointInput input = pair.input;
    input.m_maximumDistanceSquared = most_squared;
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    axis = detector.getCachedSeparatingAxis();
    return found.m_distance;
}

int meets(void *it) {
    btVector3 axis = FIRST_AXIS;
    return signed_distance(*static_cast<Pair *>(it), 0, axis) <= 0;
}

int meets_again(void *it, void *kept) {
    btVector3 &axis = static_cast<Memory *>(kept)->axis;
    if (axis.fuzzyZero()) axis = FIRST_AXIS;
    return signed_distance(*static_cast<Pair *>(it), 0, axis) <= 0;
}

void *memory() { return new Memory{FIRST_AXIS}; }

void drop_memory(void *it) { delete static_cast<Memory *>(it); }

double distance(void *it) {
    btVector3 axis = FIRST_AXIS;
    return signed_distance(*static_cast<Pair *>(it), BT_LARGE_FLOAT, axis);
}

double depth(void *it) { return -distance(it); }

const Rival RIVALS[] = {
    {"Bullet", world, drop_world, pair, drop_pair, meets, meets_again, memory, drop_memory, distance, depth},
};

}  // namespace

extern "C" const Rival *rivals_bullet(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
