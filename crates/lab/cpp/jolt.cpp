// Jolt: its GJK on convex hulls, from nothing or from the separating axis of the frame before, and its EPA. Single precision; hulls
// of at most 256 points.

#include "rival.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/RegisterTypes.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using JPH::ConvexHullShape;
using JPH::ConvexShape;
using JPH::Vec3;

// As exact as hulls can be asked for: points are dropped that lie within 1e-3 of the hull by default.
const float HULL_TOLERANCE = 1e-6f;

struct World {
    std::vector<JPH::RefConst<ConvexHullShape>> hulls;
};

struct Pair {
    const ConvexHullShape *a;
    const ConvexHullShape *b;
    // Of the centres of mass, about which Jolt keeps shapes.
    JPH::Mat44 at_a, at_b;

    JPH_OVERRIDE_NEW_DELETE
};

struct Memory {
    Vec3 axis = Vec3::sZero();

    JPH_OVERRIDE_NEW_DELETE
};

typedef ConvexShape::Support Support;

// What Jolt's own narrow phase makes of a pair before it searches: both ready to be asked for support, and B seen from A.
struct Prepared {
    ConvexShape::SupportBuffer buffer_a, buffer_b;
    const Support *a;
    const JPH::TransformedConvexObject<Support> b;

    explicit Prepared(const Pair &pair)
        : a(support(*pair.a, buffer_a)),
          b(pair.at_a.InversedRotationTranslation() * pair.at_b, *support(*pair.b, buffer_b)) {}

    static const Support *support(const ConvexHullShape &hull, ConvexShape::SupportBuffer &buffer) {
        return hull.GetSupportFunction(ConvexShape::ESupportMode::ExcludeConvexRadius, buffer, Vec3::sReplicate(1.0f));
    }

    // From centre to centre.
    Vec3 first_axis() const {
        const Vec3 between = b.mTransform.GetTranslation();
        return between.IsNearZero() ? Vec3::sAxisX() : between;
    }

    int intersect(Vec3 &axis) const {
        JPH::GJKClosestPoint gjk;
        return gjk.Intersects(*a, b, JPH::cDefaultCollisionTolerance, axis);
    }
};

void start() {
    static const bool once = [] {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        JPH::RegisterTypes();
        return true;
    }();
    (void)once;
}

void *world(const RivalBody *bodies, std::size_t count) {
    start();
    std::unique_ptr<World> world(new World);
    for (std::size_t i = 0; i < count; ++i) {
        const RivalBody &from = bodies[i];
        // Its builder would say so only after a long while.
        if (from.point_count > std::size_t(ConvexHullShape::cMaxPointsInHull)) return nullptr;
        JPH::Array<Vec3> points;
        for (std::size_t v = 0; v < from.point_count; ++v) {
            const double *p = &from.points[3 * v];
            points.push_back(Vec3(float(p[0]), float(p[1]), float(p[2])));
        }
        JPH::ConvexHullShapeSettings settings(points, 0.0f);
        settings.mHullTolerance = HULL_TOLERANCE;
        const JPH::ShapeSettings::ShapeResult made = settings.Create();
        if (made.HasError()) return nullptr;
        world->hulls.push_back(static_cast<const ConvexHullShape *>(made.Get().GetPtr()));
    }
    return world.release();
}

void drop_world(void *it) { delete static_cast<World *>(it); }

JPH::Mat44 centre_of_mass(const ConvexHullShape &hull, const double *pose) {
    const auto column = [pose](int j) { return JPH::Vec4(float(pose[j]), float(pose[3 + j]), float(pose[6 + j]), 0); };
    const Vec3 origin{float(pose[9]), float(pose[10]), float(pose[11])};
    return JPH::Mat44(column(0), column(1), column(2), origin).PreTranslated(hull.GetCenterOfMass());
}

void *pair(void *in, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b) {
    const World &world = *static_cast<World *>(in);
    const ConvexHullShape &hull_a = *world.hulls[a], &hull_b = *world.hulls[b];
    return new Pair{&hull_a, &hull_b, centre_of_mass(hull_a, pose_a), centre_of_mass(hull_b, pose_b)};
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

int meets(void *it) {
    const Prepared pair(*static_cast<Pair *>(it));
    Vec3 axis = pair.first_axis();
    return pair.intersect(axis);
}

int meets_again(void *it, void *kept) {
    const Prepared pair(*static_cast<Pair *>(it));
    Vec3 &axis = static_cast<Memory *>(kept)->axis;
    // Nothing is kept of bodies that meet.
    if (axis == Vec3::sZero()) axis = pair.first_axis();
    return pair.intersect(axis);
}

void *memory() { return new Memory; }

void drop_memory(void *it) { delete static_cast<Memory *>(it); }

double distance(void *it) {
    const Prepared pair(*static_cast<Pair *>(it));
    JPH::GJKClosestPoint gjk;
    Vec3 axis = pair.first_axis(), on_a, on_b;
    const float tolerance = JPH::cDefaultCollisionTolerance;
    return std::sqrt(gjk.GetClosestPoints(*pair.a, pair.b, tolerance, FLT_MAX, axis, on_a, on_b));
}

double depth(void *it) {
    const Prepared pair(*static_cast<Pair *>(it));
    JPH::EPAPenetrationDepth epa;
    Vec3 axis = pair.first_axis(), on_a, on_b;
    const float tolerance = JPH::cDefaultCollisionTolerance, end = JPH::cDefaultPenetrationTolerance;
    const bool found = epa.GetPenetrationDepth(*pair.a, *pair.a, 0, pair.b, pair.b, 0, tolerance, end, axis, on_a, on_b);
    return found ? double((on_b - on_a).Length()) : NAN;
}

const Rival RIVALS[] = {
    {"Jolt", world, drop_world, pair, drop_pair, meets, meets_again, memory, drop_memory, distance, depth},
};

}  // namespace

extern "C" const Rival *rivals_jolt(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
