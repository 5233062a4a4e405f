// What a library's manager of many bodies must offer to stand in the table of broad phases.

#ifndef CLEARANCE_LAB_BROAD_H
#define CLEARANCE_LAB_BROAD_H

#include <cstddef>
#include <cstdint>

// Nothing may throw; null or no pairs if something did.
struct BroadRival {
    const char *name;
    // Boxes as six numbers each: least, then largest coordinates.
    void *(*manager)(const double *boxes, std::size_t count);
    void (*drop_manager)(void *manager);
    // Moves all boxes, finds all pairs, and returns them as `a << 32 | b` with a < b; they live until the next call.
    const std::uint64_t *(*frame)(void *manager, const double *boxes, std::size_t *pairs);
};

#endif
