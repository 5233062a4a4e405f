// coal: its defaults, and the early exit of its boolean set.

#include "coal_convex.h"

#include <coal/collision.h>
#include <coal/distance.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using coal_convex::Convex;
using coal_convex::convex;
using coal_convex::transform;

struct World {
    std::vector<std::unique_ptr<Convex>> bodies;
};

struct Pair {
    const Convex *a, *b;
    coal::Transform3s pose_a, pose_b;
};

struct Memory {
    coal::CollisionRequest request;
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

coal::CollisionRequest boolean(double early_exit) {
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    request.distance_upper_bound = early_exit;
    return request;
}

const double NEVER = std::numeric_limits<double>::max();
const coal::CollisionRequest DEFAULTS = boolean(NEVER), EARLY_EXIT = boolean(0.0);

int ask(const Pair &pair, const coal::CollisionRequest &request, coal::CollisionResult &result) try {
    coal::collide(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
    return result.isCollision();
} catch (...) {
    return -1;
}

template <const coal::CollisionRequest &request>
int meets(void *it) {
    coal::CollisionResult result;
    return ask(*static_cast<Pair *>(it), request, result);
}

template <const coal::CollisionRequest &request>
void *memory() {
    Memory *memory = new Memory{request};
    memory->request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    return memory;
}

void drop_memory(void *it) { delete static_cast<Memory *>(it); }

int meets_again(void *it, void *kept) {
    Memory &memory = *static_cast<Memory *>(kept);
    coal::CollisionResult result;
    int meet = ask(*static_cast<Pair *>(it), memory.request, result);
    memory.request.updateGuess(result);
    return meet;
}

double signed_distance(const Pair &pair, bool wants_depth) try {
    const coal::DistanceRequest request(true, wants_depth);
    coal::DistanceResult result;
    return coal::distance(pair.a, pair.pose_a, pair.b, pair.pose_b, request, result);
} catch (...) {
    return NAN;
}

double distance(void *it) { return signed_distance(*static_cast<Pair *>(it), false); }

double depth(void *it) { return -signed_distance(*static_cast<Pair *>(it), true); }

const Rival RIVALS[] = {
    {"coal", world, drop_world, pair, drop_pair, meets<DEFAULTS>, meets_again, memory<DEFAULTS>, drop_memory,
     distance, depth},
    {"coal early exit", world, drop_world, pair, drop_pair, meets<EARLY_EXIT>, meets_again, memory<EARLY_EXIT>,
     drop_memory, nullptr, nullptr},
};

}  // namespace

extern "C" const Rival *rivals_coal(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
