"""Reads files that the tool wrote with nothing but Python's standard library, and checks them against each other."""

import json
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def stl_triangles(path):
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count, f"{path}: {len(data)} bytes for {count} triangles"
    corners = [struct.unpack_from("<9f", data, 96 + 50 * i) for i in range(count)]
    return count, [min(min(c[axis::3]) for c in corners) for axis in range(3)]


def obj_triangles(path):
    lines = path.read_text().splitlines()
    vertices = [list(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]
    faces = [line.split()[1:] for line in lines if line.startswith("f ")]
    for face in faces:
        assert all(1 <= int(corner.split("/")[0]) <= len(vertices) for corner in face), f"{path}: {face}"
    return len(faces), [min(v[axis] for v in vertices) for axis in range(3)]


def ply_triangles(path):
    header, _, body = path.read_bytes().partition(b"end_header\n")
    words = [line.split() for line in header.decode("ascii").splitlines()]
    counts = {w[1]: int(w[2]) for w in words if w[:1] == ["element"]}
    assert ["format", "binary_little_endian", "1.0"] in words and ["property", "double", "x"] in words
    vertices = [struct.unpack_from("<3d", body, 24 * i) for i in range(counts["vertex"])]
    return counts["face"], [min(v[axis] for v in vertices) for axis in range(3)]


def check_glb(path):
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert magic == b"glTF" and version == 2 and length == len(data), f"{path}: {magic} {version} {length}"
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + size])
    (binary,) = struct.unpack_from("<I", data, 20 + size)
    for view in document["bufferViews"]:
        assert view.get("byteOffset", 0) + view["byteLength"] <= binary, f"{path}: {view}"
    names = [node.get("name") for node in document["nodes"] if "mesh" in node]
    assert {"wheel", "bolt 1", "slide"} <= set(names), f"{path}: {names}"
    return len(names)


def main():
    folder = Path(sys.argv[1])
    readers = {"gear.stl": stl_triangles, "gear.obj": obj_triangles, "gear.ply": ply_triangles}
    found = {name: read(folder / name) for name, read in readers.items()}
    counts = {count for count, _ in found.values()}
    assert len(counts) == 1 and counts != {0}, f"the formats disagree: {found}"
    exact, rounded = found["gear.ply"][1], found["gear.stl"][1]
    assert all(abs(a - b) < 1e-6 for a, b in zip(exact, rounded)), f"{exact} {rounded}"
    parts = check_glb(folder / "gearbox.glb")
    root = ElementTree.parse(folder / "gearbox.svg").getroot()
    assert root.tag.endswith("svg") and len(list(root.iter())) > 50
    print(f"Python reads what we write: {counts.pop()} triangles in three formats, {parts} parts in a GLB, an SVG")


main()
