// The dynamic trees of FCL over boxes that move.

#include "broad.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

#include <memory>
#include <vector>

namespace {

typedef fcl::CollisionObject<double> Object;
typedef std::vector<std::uint64_t> Pairs;

std::uint64_t key(const Object *a, const Object *b) {
    const std::uint64_t i = reinterpret_cast<std::uintptr_t>(a->getUserData());
    const std::uint64_t j = reinterpret_cast<std::uintptr_t>(b->getUserData());
    return i < j ? i << 32 | j : j << 32 | i;
}

bool collect(Object *a, Object *b, void *pairs) {
    static_cast<Pairs *>(pairs)->push_back(key(a, b));
    return false;
}

template <class Kind>
struct Manager {
    Kind manager;
    std::vector<std::unique_ptr<Object>> objects;
    Pairs pairs;
};

fcl::Vector3<double> centre(const double *box) {
    return fcl::Vector3<double>(0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]));
}

template <class Kind>
void *manager(const double *boxes, std::size_t count) try {
    std::unique_ptr<Manager<Kind>> it(new Manager<Kind>);
    std::vector<Object *> objects;
    for (std::size_t i = 0; i < count; ++i) {
        const double *box = boxes + 6 * i;
        auto shape = std::make_shared<fcl::Box<double>>(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
        it->objects.emplace_back(new Object(shape));
        Object *object = it->objects.back().get();
        object->setUserData(reinterpret_cast<void *>(std::uintptr_t(i)));
        object->setTranslation(centre(box));
        object->computeAABB();
        objects.push_back(object);
    }
    it->manager.registerObjects(objects);
    it->manager.setup();
    return it.release();
} catch (...) {
    return nullptr;
}

template <class Kind>
void drop_manager(void *it) {
    delete static_cast<Manager<Kind> *>(it);
}

template <class Kind>
const std::uint64_t *frame(void *raw, const double *boxes, std::size_t *pairs) try {
    auto it = static_cast<Manager<Kind> *>(raw);
    for (std::size_t i = 0; i < it->objects.size(); ++i) {
        it->objects[i]->setTranslation(centre(boxes + 6 * i));
        it->objects[i]->computeAABB();
    }
    it->manager.update();
    it->pairs.clear();
    it->manager.collide(&it->pairs, collect);
    *pairs = it->pairs.size();
    return it->pairs.data();
} catch (...) {
    *pairs = 0;
    return nullptr;
}

template <class Kind>
BroadRival rival(const char *name) {
    return BroadRival{name, manager<Kind>, drop_manager<Kind>, frame<Kind>};
}

}  // namespace

extern "C" const BroadRival *broad_rivals_fcl(std::size_t *count) {
    static const BroadRival list[] = {
        rival<fcl::DynamicAABBTreeCollisionManager<double>>("FCL tree"),
        rival<fcl::DynamicAABBTreeCollisionManager_Array<double>>("FCL tree array"),
    };
    *count = 2;
    return list;
}
