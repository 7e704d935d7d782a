"""The naked, rigged body: shape, joints, skin weights, expressions, and the landmarks for hair and clothes."""

from typing import Any

import numpy as np

from figure.arrays import Array, Ints, smoothstep, vec
from figure.expressions import MORPHS, Mix
from figure.mesh import triangles, vertex_normals
from figure.people import Person
from figure.source import DECIMETRE, Source

#: What stands in shoes is never seen.
DROPPED_BONES = {"ball_l", "ball_r", "foot_l", "foot_r"}
FINGERS = ("thumb", "index", "middle", "ring", "pinky")
SOLE = 0.02


class Body:
    """Arrays of the shaped base mesh; metres, y up, facing +z, soles at y = 0. Side `l` is its own left, x > 0."""

    def __init__(self, source: Source, person: Person) -> None:
        self.person, self._source = person, source
        self.female = person.sex == "female"
        positions, self.uv, self.groups = source.base_mesh()
        self.ids: dict[str, Ints] = {
            group: np.unique([i for vertices, _ in quads for i in vertices]) for group, quads in self.groups.items()
        }
        self._shape(positions)
        self._express(positions, person.rest_face)
        self.P: Array = positions * DECIMETRE
        self.P[:, 1] -= self.P[self.ids["body"], 1].min() - SOLE
        self.quads = np.array([vertices for vertices, _ in self.groups["body"]])
        self.uv_quads = np.array([corners for _, corners in self.groups["body"]])
        self.N = vertex_normals(self.P, triangles(self.quads))
        self._build_skeleton()
        self.morphs = {name: self._morph(mix) for name, mix in MORPHS.items()}
        self._find_landmarks()

    def _shape(self, positions: Array) -> None:
        person, sex = self.person, self.person.sex

        def add(name: str, weight: float) -> None:
            ids, delta = self._source.target(name)
            positions[ids] += weight * delta

        for ethnicity, weight in person.ethnicity.items():
            add(f"macrodetails/{ethnicity}-{sex}-young", weight)
        for build, weight in person.build.items():
            add(f"macrodetails/universal-{sex}-young-{build}", weight)
        add(f"macrodetails/proportions/{sex}-young-averagemuscle-averageweight-idealproportions", 0.8)
        for name, weight in person.targets.items():
            for side in "lr" if "*" in name else " ":
                add(name.replace("*", side), weight)
        self._set_stature(positions, f"macrodetails/height/{sex}-young-averagemuscle-averageweight-")

    def _set_stature(self, positions: Array, prefix: str) -> None:
        """Mixes in the tall or the short target just enough: targets are linear."""
        body, wanted = self.ids["body"], self.person.stature / DECIMETRE
        height = np.ptp(positions[body, 1])
        ids, delta = self._source.target(prefix + ("maxheight" if wanted > height else "minheight"))
        extreme = positions.copy()
        extreme[ids] += delta
        positions[ids] += (wanted - height) / (np.ptp(extreme[body, 1]) - height) * delta

    def _express(self, positions: Array, mix: Mix) -> None:
        for name, weight in mix.items():
            ids, delta = self._source.face_unit(name)
            positions[ids] += weight * delta

    def _morph(self, mix: Mix) -> Array:
        delta = np.zeros_like(self.P)
        self._express(delta, mix)
        return delta * DECIMETRE

    def _build_skeleton(self) -> None:
        rig, weights = self._source.rig()
        self.joint: dict[str, Array] = {}
        for bone, described in rig.items():
            head = described["head"]
            ids = self.ids[head["cube_name"]] if head["strategy"] == "CUBE" else head["vertex_indices"]
            self.joint[bone] = self.P[ids].mean(0)
        self.eye_centre: dict[str, Array] = {}
        for side in "lr":
            eye = self.P[self.ids[f"helper-{side}-eye"]]
            self.eye_centre[side] = (eye.max(0) + eye.min(0)) / 2
        self.eye_radius = float(np.ptp(self.P[self.ids["helper-l-eye"]], axis=0).max() / 2)
        self.bones: list[str] = []
        self.parent: dict[str, str | None] = {}
        self._visit(rig, "Root", None)
        for side in "lr":
            self._add_bone(f"eye_{side}", "head", self.eye_centre[side])
            middle = (self.joint[f"lowerarm_{side}"] + self.joint[f"hand_{side}"]) / 2
            self._add_bone(f"lowerarm_twist_{side}", f"lowerarm_{side}", middle)
        self.index = {bone: i for i, bone in enumerate(self.bones)}
        self._bind(rig, weights)

    def _visit(self, rig: dict[str, Any], bone: str, parent: str | None) -> None:
        self.bones.append(bone)
        self.parent[bone] = parent
        for child in sorted(rig):
            if rig[child]["parent"] == bone and child not in DROPPED_BONES:
                self._visit(rig, child, bone)

    def _add_bone(self, name: str, parent: str, position: Array) -> None:
        self.bones.append(name)
        self.parent[name] = parent
        self.joint[name] = position

    def _bind(self, rig: dict[str, Any], weights: dict[str, Any]) -> None:
        W = np.zeros((len(self.P), len(self.bones)))
        for bone, pairs in weights.items():
            kept = bone
            while kept in DROPPED_BONES:
                kept = rig[kept]["parent"]
            for vertex, weight in pairs:
                W[int(vertex), self.index[kept]] += weight
        for side in "lr":  # the share of the forearm that turns with the hand grows towards the wrist
            a, b = self.joint[f"lowerarm_{side}"], self.joint[f"hand_{side}"]
            k = smoothstep(0.25, 0.9, np.clip(((self.P - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1))
            whole = W[:, self.index[f"lowerarm_{side}"]].copy()
            W[:, self.index[f"lowerarm_twist_{side}"]] = whole * k
            W[:, self.index[f"lowerarm_{side}"]] = whole * (1 - k)
        self.W = W / np.maximum(W.sum(1, keepdims=True), 1e-9)

    def _find_landmarks(self) -> None:
        body = self.P[self.ids["body"]]
        self.eye_x, self.eye_y = float(self.eye_centre["l"][0]), float(self.eye_centre["l"][1])
        self.top_y = float(body[:, 1].max())
        face = body[body[:, 1] > self.eye_y - 0.09]
        self.nose_tip: Array = face[np.argmax(face[:, 2])]
        self.head_centre = vec(0, self.eye_y + 0.045, self.joint["head"][2] + 0.012)
        self.pelvis_y, self.neck_y = float(self.joint["pelvis"][1]), float(self.joint["neck_01"][1])
        self.shoulder_x = float(self.joint["upperarm_l"][0])

    def rigid(self, bone: str, count: int) -> Array:
        """Weights that bind `count` vertices to one bone."""
        w = np.zeros((count, len(self.bones)))
        w[:, self.index[bone]] = 1
        return w

    def bone_weight(self, prefixes: tuple[str, ...], W: Array | None = None) -> Array:
        """The summed weight of all bones whose names start with one of the prefixes."""
        columns = [i for bone, i in self.index.items() if bone.startswith(prefixes)]
        return (self.W if W is None else W)[:, columns].sum(1)

    def torso(self, t: float) -> float:
        """The height of a fraction of the torso: 0 at the pelvis joint, 1 at the neck joint."""
        return self.pelvis_y + t * (self.neck_y - self.pelvis_y)

    def helper(self, group: str) -> tuple[Ints, Array, Ints]:
        """Vertex numbers, texture coordinates and triangles of a helper mesh, split at its texture seams."""
        quads = np.array([vertices for vertices, _ in self.groups[group]])
        corners = np.array([at for _, at in self.groups[group]])
        pairs, inverse = np.unique(np.stack([quads.ravel(), corners.ravel()], 1), axis=0, return_inverse=True)
        return pairs[:, 0], self.uv[pairs[:, 1]], triangles(inverse.reshape(-1, 4))

    def lash_roots(self, side: str, upper: bool) -> Array:
        """Points along the edge of a lid."""
        rows = [self.P[self.ids[f"helper-{side}-eyelashes-{k}"]] for k in "12"]
        rows.sort(key=lambda row: -float(row[:, 1].mean()))
        row = rows[0 if upper else 1]
        distance = np.linalg.norm(row - self.eye_centre[side], axis=1)
        return row[distance < np.percentile(distance, 45)]
