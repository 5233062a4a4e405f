// The dynamic trees of FCL over boxes that move.

#include "manager_broad.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

namespace {

struct Fcl {
    typedef fcl::CollisionObject<double> Object;
    typedef fcl::Vector3<double> Vector;
    typedef fcl::Box<double> Box;

    static bool collect(Object *a, Object *b, void *pairs) {
        static_cast<Pairs *>(pairs)->push_back(key(a, b));
        return false;
    }

    template <class Kind>
    static void collide(Kind &manager, Pairs &pairs) {
        manager.collide(&pairs, collect);
    }
};

}  // namespace

extern "C" const BroadRival *broad_rivals_fcl(std::size_t *count) {
    static const BroadRival list[] = {
        Managed<Fcl, fcl::DynamicAABBTreeCollisionManager<double>>::rival("FCL tree"),
        Managed<Fcl, fcl::DynamicAABBTreeCollisionManager_Array<double>>::rival("FCL tree array"),
    };
    *count = 2;
    return list;
}
