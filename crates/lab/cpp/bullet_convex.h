// Convex bodies as Bullet has them: of single precision.

#ifndef CLEARANCE_LAB_BULLET_CONVEX_H
#define CLEARANCE_LAB_BULLET_CONVEX_H

#include "rival.h"

#include <btBulletCollisionCommon.h>

#include <memory>

inline std::unique_ptr<btConvexHullShape> convex(const RivalBody &from) {
    std::unique_ptr<btConvexHullShape> hull(new btConvexHullShape);
    for (std::size_t v = 0; v < from.point_count; ++v) {
        const double *p = &from.points[3 * v];
        hull->addPoint(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])), false);
    }
    hull->recalcLocalAabb();
    // The bodies themselves: by default they are grown by 0.04.
    hull->setMargin(0);
    return hull;
}

inline btTransform transform(const double *pose) {
    const auto x = [pose](int i) { return btScalar(pose[i]); };
    const btMatrix3x3 rotation(x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7), x(8));
    return btTransform(rotation, btVector3(x(9), x(10), x(11)));
}

#endif
