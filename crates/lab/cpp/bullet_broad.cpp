// Bullet's broad phases over boxes that move: a tree over boxes with a margin, and three sorted axes.

#include "broad.h"

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace {

struct Boxes {
    std::unique_ptr<btBroadphaseInterface> broad;
    std::vector<btBroadphaseProxy *> proxies;
    std::vector<std::uint64_t> pairs;

    ~Boxes() {
        for (btBroadphaseProxy *proxy : proxies) broad->destroyProxy(proxy, nullptr);
    }
};

btVector3 vector(const double *x) { return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2])); }

btBroadphaseInterface *tree(const double *, std::size_t) { return new btDbvtBroadphase(); }

// Its coordinates are integers over a region that must be known beforehand.
btBroadphaseInterface *axes(const double *boxes, std::size_t count) {
    btVector3 low(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT), high = -low;
    for (std::size_t i = 0; i < count; ++i) {
        low.setMin(vector(boxes + 6 * i));
        high.setMax(vector(boxes + 6 * i + 3));
    }
    const btVector3 room = btScalar(0.1) * (high - low) + btVector3(2, 2, 2);
    return new bt32BitAxisSweep3(low - room, high + room, unsigned(count) + 16);
}

template <btBroadphaseInterface *(*make)(const double *, std::size_t)>
void *manager(const double *boxes, std::size_t count) try {
    std::unique_ptr<Boxes> it(new Boxes);
    it->broad.reset(make(boxes, count));
    for (std::size_t i = 0; i < count; ++i) {
        void *name = reinterpret_cast<void *>(std::uintptr_t(i));
        const btVector3 low = vector(boxes + 6 * i), high = vector(boxes + 6 * i + 3);
        it->proxies.push_back(it->broad->createProxy(low, high, BOX_SHAPE_PROXYTYPE, name, 1, 1, nullptr));
    }
    return it.release();
} catch (...) {
    return nullptr;
}

void drop_manager(void *it) { delete static_cast<Boxes *>(it); }

const std::uint64_t *frame(void *raw, const double *boxes, std::size_t *count) try {
    Boxes *it = static_cast<Boxes *>(raw);
    for (std::size_t i = 0; i < it->proxies.size(); ++i) {
        it->broad->setAabb(it->proxies[i], vector(boxes + 6 * i), vector(boxes + 6 * i + 3), nullptr);
    }
    it->broad->calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray &found = it->broad->getOverlappingPairCache()->getOverlappingPairArray();
    it->pairs.clear();
    for (int k = 0; k < found.size(); ++k) {
        const btBroadphaseProxy *a = found[k].m_pProxy0, *b = found[k].m_pProxy1;
        // Pairs of boxes with margins are kept.
        if (!TestAabbAgainstAabb2(a->m_aabbMin, a->m_aabbMax, b->m_aabbMin, b->m_aabbMax)) continue;
        const std::uint64_t i = reinterpret_cast<std::uintptr_t>(a->m_clientObject);
        const std::uint64_t j = reinterpret_cast<std::uintptr_t>(b->m_clientObject);
        it->pairs.push_back(i < j ? i << 32 | j : j << 32 | i);
    }
    *count = it->pairs.size();
    return it->pairs.data();
} catch (...) {
    *count = 0;
    return nullptr;
}

}  // namespace

extern "C" const BroadRival *broad_rivals_bullet(std::size_t *count) {
    static const BroadRival list[] = {
        BroadRival{"Bullet tree", manager<tree>, drop_manager, frame},
        BroadRival{"Bullet axes", manager<axes>, drop_manager, frame},
    };
    *count = 2;
    return list;
}
