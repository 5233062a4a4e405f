// What a library's world of many convex bodies must offer to stand in the table of whole steps.

#ifndef CLEARANCE_LAB_WORLD_H
#define CLEARANCE_LAB_WORLD_H

#include "rival.h"

// What a step found: pairs whose bounds meet, those of them whose bodies do, and the contact points of these.
struct WorldFound {
    std::size_t pairs, meeting, contacts;
};

// Nothing may throw; null or nothing found if something did.
struct WorldRival {
    const char *name;
    // Body `i` has shape `i` modulo their number; shapes are copied.
    void *(*world)(const RivalBody *shapes, std::size_t shape_count, const double *poses, std::size_t bodies);
    void (*drop_world)(void *world);
    // Moves all bodies to poses, twelve numbers each, and finds all pairs and contacts.
    WorldFound (*step)(void *world, const double *poses);
};

#endif
