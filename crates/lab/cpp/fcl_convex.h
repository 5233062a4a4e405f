// Convex bodies and poses in the form of FCL.

#ifndef CLEARANCE_LAB_FCL_CONVEX_H
#define CLEARANCE_LAB_FCL_CONVEX_H

#include "rival.h"

#include <fcl/geometry/shape/convex.h>

#include <memory>
#include <vector>

namespace fcl_convex {

typedef fcl::Convex<double> Convex;
typedef fcl::Transform3<double> Transform;

inline std::unique_ptr<Convex> convex(const RivalBody &from) {
    auto points = std::make_shared<std::vector<fcl::Vector3<double>>>();
    for (std::size_t v = 0; v < from.point_count; ++v) {
        const double *p = &from.points[3 * v];
        points->emplace_back(p[0], p[1], p[2]);
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t t = 0; t < from.triangle_count; ++t) {
        const std::uint32_t *corners = &from.triangles[3 * t];
        faces->insert(faces->end(), {3, int(corners[0]), int(corners[1]), int(corners[2])});
    }
    std::unique_ptr<Convex> made(new Convex(points, int(from.triangle_count), faces, true));
    made->computeLocalAABB();
    return made;
}

inline Transform transform(const double *pose) {
    Transform to = Transform::Identity();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) to.linear()(row, column) = pose[3 * row + column];
        to.translation()(row) = pose[9 + row];
    }
    return to;
}

}  // namespace fcl_convex

#endif
