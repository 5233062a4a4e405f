// Convex bodies and poses in the form of coal.

#ifndef CLEARANCE_LAB_COAL_CONVEX_H
#define CLEARANCE_LAB_COAL_CONVEX_H

#include "rival.h"

#include <coal/shape/convex.h>

#include <memory>
#include <vector>

namespace coal_convex {

typedef coal::Convex<coal::Triangle> Convex;

inline std::unique_ptr<Convex> convex(const RivalBody &from) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (std::size_t v = 0; v < from.point_count; ++v) {
        const double *p = &from.points[3 * v];
        points->emplace_back(p[0], p[1], p[2]);
    }
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (std::size_t t = 0; t < from.triangle_count; ++t) {
        const std::uint32_t *corners = &from.triangles[3 * t];
        triangles->emplace_back(corners[0], corners[1], corners[2]);
    }
    const unsigned point_count = unsigned(points->size()), triangle_count = unsigned(triangles->size());
    std::unique_ptr<Convex> made(new Convex(points, point_count, triangles, triangle_count));
    made->computeLocalAABB();
    return made;
}

inline coal::Transform3s transform(const double *pose) {
    coal::Matrix3s rotation;
    for (int i = 0; i < 9; ++i) rotation(i / 3, i % 3) = pose[i];
    return coal::Transform3s(rotation, coal::Vec3s(pose[9], pose[10], pose[11]));
}

}  // namespace coal_convex

#endif
