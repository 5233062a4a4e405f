// Whole steps with coal: its dynamic tree, and a contact of every pair.

#include "coal_convex.h"
#include "manager_world.h"

#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>

namespace {

struct Coal {
    typedef coal::CollisionObject Object;
    typedef coal_convex::Convex Shape;
    typedef coal::DynamicAABBTreeCollisionManager Manager;

    static std::unique_ptr<Shape> convex(const RivalBody &from) { return coal_convex::convex(from); }
    static coal::Transform3s transform(const double *pose) { return coal_convex::transform(pose); }

    struct Ask : coal::CollisionCallBackBase {
        WorldFound found{0, 0, 0};
        // Apart is enough to know for pairs that are.
        coal::CollisionRequest request{coal::CONTACT, 1};

        Ask() { request.distance_upper_bound = 0.0; }

        bool collide(Object *a, Object *b) override {
            coal::CollisionResult result;
            coal::collide(a, b, request, result);
            found.pairs += 1;
            found.meeting += result.isCollision();
            found.contacts += result.numContacts();
            return false;
        }
    };

    static WorldFound collide(Manager &manager) {
        Ask ask;
        manager.collide(&ask);
        return ask.found;
    }
};

}  // namespace

extern "C" const WorldRival *world_rivals_coal(std::size_t *count) {
    static const WorldRival list[] = {ManagedWorld<Coal, Coal::Manager>::rival("coal")};
    *count = 1;
    return list;
}
