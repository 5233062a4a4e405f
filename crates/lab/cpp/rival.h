// What a rival library must offer to stand in the tables: one list of functions for each way of asking it.
//
// Everything that depends on bodies and poses alone is prepared before the clock starts: `meets`, `distance` and `depth`
// see a pair in the library's own form.

#ifndef CLEARANCE_LAB_RIVAL_H
#define CLEARANCE_LAB_RIVAL_H

#include <cstddef>
#include <cstdint>

// A convex solid as points, adjacency in rows (`neighbours[starts[v] .. starts[v + 1]]`) and triangles that are
// counter-clockwise seen from outside.
struct RivalBody {
    const double *points;
    std::size_t point_count;
    const std::uint32_t *starts;
    const std::uint32_t *neighbours;
    const std::uint32_t *triangles;
    std::size_t triangle_count;
};

// Rotation by rows, then translation.
typedef double RivalPose[12];

// Functions that are missing are null. Nothing may throw.
struct Rival {
    const char *name;
    // Bodies are copied; null if the library refuses them.
    void *(*world)(const RivalBody *bodies, std::size_t count);
    void (*drop_world)(void *world);
    // Two bodies of a world, by index, where they are.
    void *(*pair)(void *world, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b);
    void (*drop_pair)(void *pair);
    // Whether they meet: from nothing, or with what the library kept of the frame before in `memory`.
    int (*meets)(void *pair);
    int (*meets_again)(void *pair, void *memory);
    void *(*memory)();
    void (*drop_memory)(void *memory);
    // Distance of disjoint bodies, depth of overlapping ones; not a number if the library has no answer.
    double (*distance)(void *pair);
    double (*depth)(void *pair);
};

#endif
