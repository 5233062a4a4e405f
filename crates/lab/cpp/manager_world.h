// Whole steps with the managers of FCL and coal: both come from one library and differ in names.

#ifndef CLEARANCE_LAB_MANAGER_WORLD_H
#define CLEARANCE_LAB_MANAGER_WORLD_H

#include "world.h"

#include <memory>
#include <vector>

// `Library` has the types `Object`, `Shape`, the functions `convex(body)` and `transform(pose)`, and `collide(manager)`,
// which asks for a contact of every pair that the manager finds.
template <class Library, class Kind>
struct ManagedWorld {
    typedef typename Library::Object Object;

    Kind manager;
    std::vector<std::shared_ptr<typename Library::Shape>> shapes;
    std::vector<std::unique_ptr<Object>> objects;

    void place(const double *poses) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            objects[i]->setTransform(Library::transform(poses + 12 * i));
            objects[i]->computeAABB();
        }
    }

    static void *make(const RivalBody *shapes, std::size_t shape_count, const double *poses, std::size_t bodies) try {
        std::unique_ptr<ManagedWorld> it(new ManagedWorld);
        for (std::size_t i = 0; i < shape_count; ++i) it->shapes.push_back(Library::convex(shapes[i]));
        std::vector<Object *> objects;
        for (std::size_t i = 0; i < bodies; ++i) {
            it->objects.emplace_back(new Object(it->shapes[i % shape_count]));
            objects.push_back(it->objects.back().get());
        }
        it->place(poses);
        it->manager.registerObjects(objects);
        it->manager.setup();
        return it.release();
    } catch (...) {
        return nullptr;
    }

    static void drop(void *it) { delete static_cast<ManagedWorld *>(it); }

    static WorldFound step(void *raw, const double *poses) try {
        auto it = static_cast<ManagedWorld *>(raw);
        it->place(poses);
        it->manager.update();
        return Library::collide(it->manager);
    } catch (...) {
        return WorldFound{0, 0, 0};
    }

    static WorldRival rival(const char *name) { return WorldRival{name, make, drop, step}; }
};

#endif
