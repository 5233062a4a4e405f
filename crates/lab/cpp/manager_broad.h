// Managers of FCL and coal over boxes that move: both come from one library and differ in names.

#ifndef CLEARANCE_LAB_MANAGER_BROAD_H
#define CLEARANCE_LAB_MANAGER_BROAD_H

#include "broad.h"

#include <memory>
#include <vector>

typedef std::vector<std::uint64_t> Pairs;

template <class Object>
std::uint64_t key(const Object *a, const Object *b) {
    const std::uint64_t i = reinterpret_cast<std::uintptr_t>(a->getUserData());
    const std::uint64_t j = reinterpret_cast<std::uintptr_t>(b->getUserData());
    return i < j ? i << 32 | j : j << 32 | i;
}

// `Library` has the types `Object`, `Vector`, `Box` and a function `collide(manager, pairs)`.
template <class Library, class Kind>
struct Managed {
    typedef typename Library::Object Object;

    Kind manager;
    std::vector<std::unique_ptr<Object>> objects;
    Pairs pairs;

    static void place(Object *object, const double *box) {
        typename Library::Vector centre(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
        object->setTranslation(centre);
        object->computeAABB();
    }

    static void *make(const double *boxes, std::size_t count) try {
        std::unique_ptr<Managed> it(new Managed);
        std::vector<Object *> objects;
        for (std::size_t i = 0; i < count; ++i) {
            const double *box = boxes + 6 * i;
            typedef typename Library::Box Box;
            auto shape = std::make_shared<Box>(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
            it->objects.emplace_back(new Object(shape));
            Object *object = it->objects.back().get();
            object->setUserData(reinterpret_cast<void *>(std::uintptr_t(i)));
            place(object, box);
            objects.push_back(object);
        }
        it->manager.registerObjects(objects);
        it->manager.setup();
        return it.release();
    } catch (...) {
        return nullptr;
    }

    static void drop(void *it) { delete static_cast<Managed *>(it); }

    static const std::uint64_t *frame(void *raw, const double *boxes, std::size_t *count) try {
        auto it = static_cast<Managed *>(raw);
        for (std::size_t i = 0; i < it->objects.size(); ++i) place(it->objects[i].get(), boxes + 6 * i);
        it->manager.update();
        it->pairs.clear();
        Library::collide(it->manager, it->pairs);
        *count = it->pairs.size();
        return it->pairs.data();
    } catch (...) {
        *count = 0;
        return nullptr;
    }

    static BroadRival rival(const char *name) { return BroadRival{name, make, drop, frame}; }
};

#endif
