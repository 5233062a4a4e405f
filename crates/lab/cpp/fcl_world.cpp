// Whole steps with FCL: its dynamic tree, and a contact of every pair.

#include "fcl_convex.h"
#include "manager_world.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>

namespace {

struct Fcl {
    typedef fcl::CollisionObject<double> Object;
    typedef fcl_convex::Convex Shape;
    typedef fcl::DynamicAABBTreeCollisionManager<double> Manager;

    static std::unique_ptr<Shape> convex(const RivalBody &from) { return fcl_convex::convex(from); }
    static fcl_convex::Transform transform(const double *pose) { return fcl_convex::transform(pose); }

    static bool ask(Object *a, Object *b, void *into) {
        WorldFound &found = *static_cast<WorldFound *>(into);
        const fcl::CollisionRequest<double> request(1, true);
        fcl::CollisionResult<double> result;
        fcl::collide(a, b, request, result);
        found.pairs += 1;
        found.meeting += result.isCollision();
        found.contacts += result.numContacts();
        return false;
    }

    static WorldFound collide(Manager &manager) {
        WorldFound found{0, 0, 0};
        manager.collide(&found, ask);
        return found;
    }
};

}  // namespace

extern "C" const WorldRival *world_rivals_fcl(std::size_t *count) {
    static const WorldRival list[] = {ManagedWorld<Fcl, Fcl::Manager>::rival("FCL")};
    *count = 1;
    return list;
}
