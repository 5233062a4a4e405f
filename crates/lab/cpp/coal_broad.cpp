// The dynamic trees of coal over boxes that move.

#include "manager_broad.h"

#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <coal/shape/geometric_shapes.h>

namespace {

struct Coal {
    typedef coal::CollisionObject Object;
    typedef coal::Vec3s Vector;
    typedef coal::Box Box;

    struct Collect : coal::CollisionCallBackBase {
        Pairs *pairs;
        bool collide(Object *a, Object *b) override {
            pairs->push_back(key(a, b));
            return false;
        }
    };

    template <class Kind>
    static void collide(Kind &manager, Pairs &pairs) {
        Collect collect;
        collect.pairs = &pairs;
        manager.collide(&collect);
    }
};

}  // namespace

extern "C" const BroadRival *broad_rivals_coal(std::size_t *count) {
    static const BroadRival list[] = {
        Managed<Coal, coal::DynamicAABBTreeCollisionManager>::rival("coal tree"),
        Managed<Coal, coal::DynamicAABBTreeArrayCollisionManager>::rival("coal tree array"),
    };
    *count = 2;
    return list;
}
