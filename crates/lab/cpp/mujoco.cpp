// MuJoCo: mj_geomDistance on two mesh geoms of one model. Its vertices are of single precision.

#include "rival.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

struct World {
    mjModel *model;
    mjData *data;
};

struct Pair {
    World *world;
    int a, b;
    mjtNum at_a[3], at_b[3], turn_a[9], turn_b[9];
};

// Far beyond everything that is measured.
const mjtNum FAR = 1e6;

mjModel *compile(const RivalBody *bodies, std::size_t count) {
    mjSpec *spec = mj_makeSpec();
    mjsBody *ground = mjs_findBody(spec, "world");
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = std::to_string(i);
        const std::vector<float> points(bodies[i].points, bodies[i].points + 3 * bodies[i].point_count);
        const std::vector<int> triangles(bodies[i].triangles, bodies[i].triangles + 3 * bodies[i].triangle_count);
        mjsMesh *mesh = mjs_addMesh(spec, nullptr);
        mjs_setName(mesh->element, name.c_str());
        mjs_setFloat(mesh->uservert, points.data(), int(points.size()));
        mjs_setInt(mesh->userface, triangles.data(), int(triangles.size()));
        mesh->inertia = mjMESH_INERTIA_CONVEX;
    }
    // A geom has one place: a body against itself needs two. The second half of the geoms are bodies B.
    for (std::size_t i = 0; i < 2 * count; ++i) {
        mjsGeom *geom = mjs_addGeom(ground, nullptr);
        geom->type = mjGEOM_MESH;
        mjs_setString(geom->meshname, std::to_string(i % count).c_str());
    }
    mjModel *model = mj_compile(spec, nullptr);
    if (!model) std::fprintf(stderr, "MuJoCo: %s\n", mjs_getError(spec));
    mj_deleteSpec(spec);
    return model;
}

void *world(const RivalBody *bodies, std::size_t count) {
    mjModel *model = compile(bodies, count);
    return model ? new World{model, mj_makeData(model)} : nullptr;
}

void drop_world(void *it) {
    World *world = static_cast<World *>(it);
    mj_deleteData(world->data);
    mj_deleteModel(world->model);
    delete world;
}

// A mesh is moved by the compiler to where its inertia is diagonal: the geom's own pose undoes that.
void place(const mjModel *model, int geom, const double *pose, mjtNum *at, mjtNum *turn) {
    mjtNum own[9];
    mju_quat2Mat(own, model->geom_quat + 4 * geom);
    mju_mulMatMat(turn, pose, own, 3, 3, 3);
    mju_mulMatVec(at, pose, model->geom_pos + 3 * geom, 3, 3);
    mju_addTo3(at, pose + 9);
}

void *pair(void *in, std::size_t a, const double *pose_a, std::size_t b, const double *pose_b) {
    World *world = static_cast<World *>(in);
    Pair *pair = new Pair{world, int(a), int(b + world->model->ngeom / 2), {}, {}, {}, {}};
    place(world->model, pair->a, pose_a, pair->at_a, pair->turn_a);
    place(world->model, pair->b, pose_b, pair->at_b, pair->turn_b);
    return pair;
}

void drop_pair(void *it) { delete static_cast<Pair *>(it); }

double signed_distance(void *it, mjtNum limit) {
    const Pair &pair = *static_cast<Pair *>(it);
    mjData *data = pair.world->data;
    mju_copy3(data->geom_xpos + 3 * pair.a, pair.at_a);
    mju_copy3(data->geom_xpos + 3 * pair.b, pair.at_b);
    mju_copy(data->geom_xmat + 9 * pair.a, pair.turn_a, 9);
    mju_copy(data->geom_xmat + 9 * pair.b, pair.turn_b, 9);
    return mj_geomDistance(pair.world->model, data, pair.a, pair.b, limit, nullptr);
}

int meets(void *it) { return signed_distance(it, 0) < 0; }

double distance(void *it) { return signed_distance(it, FAR); }

double depth(void *it) { return -signed_distance(it, FAR); }

const Rival RIVALS[] = {
    {"MuJoCo", world, drop_world, pair, drop_pair, meets, nullptr, nullptr, nullptr, distance, depth},
};

}  // namespace

extern "C" const Rival *rivals_mujoco(std::size_t *count) {
    *count = sizeof RIVALS / sizeof *RIVALS;
    return RIVALS;
}
