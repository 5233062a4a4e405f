// libccd, with a support function of ours: hill climbing over the edges of the body, from a vertex remembered.

#include "rival.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>

#include <cmath>
#include <vector>

namespace {

struct Body {
    std::vector<double> points;
    std::vector<std::uint32_t> starts, neighbours;
    double centre[3];
};

struct World {
    std::vector<Body> bodies;
};

struct Placed {
    const Body *body;
    RivalPose pose;
    std::uint32_t hint;
};

struct Pair {
    Placed a, b;
};

struct Memory {
    std::uint32_t hint_a = 0, hint_b = 0;
};

inline double along(const double *d, const double *p) { return d[0] * p[0] + d[1] * p[1] + d[2] * p[2]; }

std::uint32_t climb(const Body &body, const double *direction, std::uint32_t vertex) {
    double best = along(direction, &body.points[3 * vertex]);
    for (;;) {
        std::uint32_t from = vertex;
        for (std::uint32_t i = body.starts[from]; i < body.starts[from + 1]; ++i) {
            std::uint32_t next = body.neighbours[i];
            double height = along(direction, &body.points[3 * next]);
            if (height > best) {
                best = height;
                vertex = next;
            }
        }
        if (vertex == from) return vertex;
    }
}

void apply(const double *pose, const double *p, ccd_vec3_t *to) {
    for (int row = 0; row < 3; ++row) to->v[row] = along(&pose[3 * row], p) + pose[9 + row];
}

void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    // libccd hands objects on untouched; ours are not constant.
    Placed *placed = const_cast<Placed *>(static_cast<const Placed *>(object));
    const double *r = placed->pose, *d = direction->v;
    const double turned[3] = {r[0] * d[0] + r[3] * d[1] + r[6] * d[2], r[1] * d[0] + r[4] * d[1] + r[7] * d[2],
                              r[2] * d[0] + r[5] * d[1] + r[8] * d[2]};
    placed->hint = climb(*placed->body, turned, placed->hint);
    apply(placed->pose, &placed->body->points[3 * placed->hint], point);
}

void centre(const void *object, ccd_vec3_t *point) {
    const Placed *placed = static_cast<const Placed *>(object);
    apply(placed->pose, placed->body->centre, point);
}

ccd_t settings() {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 100;
    return ccd;
}

const ccd_t SETTINGS = settings();

void *world(const RivalBody *bodies, std::size_t count) {
    World *world = new World;
    for (std::size_t i = 0; i < count; ++i) {
        const RivalBody &from = bodies[i];
        Body body;
        body.points.assign(from.points, from.points + 3 * from.point_count);
        body.starts.assign(from.starts, from.starts + from.point_count + 1);
        body.neighbours.assign(from.neighbours, from.neighbours + from.starts[from.point_count]);
        for (int k = 0; k < 3; ++k) {
            double sum = 0;
            for (std::size_t v = 0; v < from.point_count; ++v) sum += from.points[3 * v + k];
            body.centre[k] = sum / from.point_count;
        }
        world->bodies.push_back(body);
    }
    return world;
}

void drop_world(void *it) { delete static_cast<World *>(it); }

Placed place(const Body &body, const double *pose) {
    Placed placed = {&body, {}, 0};
    for (int i = 0; i < 12; ++i) placed.pose[i] = pose[i];
    return placed;
}

void *pair(void *in, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b) {
    const World &world = *static_cast<World *>(in);
    return new Pair{place(world.bodies[a], pose_a), place(world.bodies[b], pose_b)};
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

void *memory() { return new Memory; }

void drop_memory(void *it) { delete static_cast<Memory *>(it); }

typedef int (*Intersect)(const void *, const void *, const ccd_t *);

template <Intersect intersect>
int meets(void *it) {
    Pair &pair = *static_cast<Pair *>(it);
    pair.a.hint = pair.b.hint = 0;
    return intersect(&pair.a, &pair.b, &SETTINGS);
}

template <Intersect intersect>
int meets_again(void *it, void *kept) {
    Pair &pair = *static_cast<Pair *>(it);
    Memory &memory = *static_cast<Memory *>(kept);
    pair.a.hint = memory.hint_a;
    pair.b.hint = memory.hint_b;
    int meet = intersect(&pair.a, &pair.b, &SETTINGS);
    memory = {pair.a.hint, pair.b.hint};
    return meet;
}

typedef int (*Penetration)(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

template <Penetration penetration>
double depth(void *it) {
    Pair &pair = *static_cast<Pair *>(it);
    pair.a.hint = pair.b.hint = 0;
    ccd_real_t depth;
    ccd_vec3_t direction, point;
    return penetration(&pair.a, &pair.b, &SETTINGS, &depth, &direction, &point) == 0 ? depth : NAN;
}

const Rival RIVALS[] = {
    {"libccd GJK", world, drop_world, pair, drop_pair, meets<ccdGJKIntersect>, meets_again<ccdGJKIntersect>, memory,
     drop_memory, nullptr, depth<ccdGJKPenetration>},
    {"libccd MPR", world, drop_world, pair, drop_pair, meets<ccdMPRIntersect>, meets_again<ccdMPRIntersect>, memory,
     drop_memory, nullptr, depth<ccdMPRPenetration>},
};

}  // namespace

extern "C" const Rival *rivals_ccd(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
