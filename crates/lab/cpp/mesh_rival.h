// What a rival library must offer to stand in the tables of meshes: one list of functions for each of its kinds of trees.

#ifndef CLEARANCE_LAB_MESH_RIVAL_H
#define CLEARANCE_LAB_MESH_RIVAL_H

#include <cstddef>
#include <cstdint>

// Functions that are missing are null. Nothing may throw.
struct MeshRival {
    const char *name;
    // A mesh with its tree, from triples of coordinates and of indices; null if the library refuses it.
    void *(*body)(const double *points, std::size_t point_count, const std::uint32_t *triangles,
                  std::size_t triangle_count);
    void (*drop_body)(void *body);
    // Two bodies where they are: rotation by rows, then translation. The bodies outlive the pair.
    void *(*pair)(void *a, const double *pose_a, void *b, const double *pose_b);
    void (*drop_pair)(void *pair);
    // Whether triangles meet, or are at most so far apart; negative if the library gives no answer.
    int (*meets)(void *pair);
    int (*within)(void *pair, double distance);
    // The distance of the triangles, not a number if the library gives no answer.
    double (*distance)(void *pair);
    // How many pairs of triangles meet, after all were listed.
    std::int64_t (*contacts)(void *pair);
};

#endif
