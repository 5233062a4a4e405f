// Whole steps with Bullet: pairs and contact manifolds, which it keeps from frame to frame.

#include "bullet_convex.h"
#include "world.h"

#include <memory>
#include <vector>

namespace {

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &configuration};
    std::vector<std::unique_ptr<btConvexHullShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    ~World() {
        for (auto &object : objects) world.removeCollisionObject(object.get());
    }
};

void *world(const RivalBody *shapes, std::size_t shape_count, const double *poses, std::size_t bodies) try {
    std::unique_ptr<World> it(new World);
    for (std::size_t i = 0; i < shape_count; ++i) it->shapes.push_back(convex(shapes[i]));
    for (std::size_t i = 0; i < bodies; ++i) {
        it->objects.emplace_back(new btCollisionObject);
        btCollisionObject *object = it->objects.back().get();
        object->setCollisionShape(it->shapes[i % shape_count].get());
        // Not static, which is the default.
        object->setCollisionFlags(0);
        object->setWorldTransform(transform(poses + 12 * i));
        it->world.addCollisionObject(object);
    }
    return it.release();
} catch (...) {
    return nullptr;
}

void drop_world(void *it) { delete static_cast<World *>(it); }

WorldFound step(void *raw, const double *poses) try {
    World *it = static_cast<World *>(raw);
    for (std::size_t i = 0; i < it->objects.size(); ++i) it->objects[i]->setWorldTransform(transform(poses + 12 * i));
    it->world.performDiscreteCollisionDetection();
    WorldFound found{std::size_t(it->broad.getOverlappingPairCache()->getNumOverlappingPairs()), 0, 0};
    for (int k = 0; k < it->dispatcher.getNumManifolds(); ++k) {
        const btPersistentManifold *manifold = it->dispatcher.getManifoldByIndexInternal(k);
        bool meets = false;
        for (int p = 0; p < manifold->getNumContacts(); ++p) meets |= manifold->getContactPoint(p).getDistance() <= 0;
        found.meeting += meets;
        found.contacts += std::size_t(manifold->getNumContacts());
    }
    return found;
} catch (...) {
    return WorldFound{0, 0, 0};
}

}  // namespace

extern "C" const WorldRival *world_rivals_bullet(std::size_t *count) {
    static const WorldRival list[] = {WorldRival{"Bullet", world, drop_world, step}};
    *count = 1;
    return list;
}
