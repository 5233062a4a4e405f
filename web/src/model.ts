/** The report and the scene as Rust writes them: `clash/model.rs` and `clash/output/html.rs` say the same. */

export type Vec3 = [number, number, number];
export interface Bracket {
  lower: number;
  upper: number;
}

export type Verdict =
  | "duplicate"
  | "enclosed"
  | "overlapping"
  | "touching_within_tolerance"
  | "touching"
  | "too_close"
  | "undecided";

export interface Report {
  version: number;
  program: string;
  title: string;
  unit: string | null;
  settings: {
    clearance: number;
    tolerance: number;
    report_touching: boolean;
    volume: boolean;
    rules: string | null;
    baseline: string | null;
  };
  meanings: { verdict: Verdict; text: string }[];
  summary: {
    parts: number;
    triangles: number;
    pairs: number;
    candidates: number;
    unchecked: number;
    verdicts: { verdict: Verdict; count: number }[];
    vanish_at_one_in_a_thousand: number;
    new: number;
    persistent: number;
    resolved: number;
  };
  groups: { name: string; parts: number }[];
  matrix: MatrixCell[];
  parts: Part[];
  findings: Finding[];
  resolved: { id: string; verdict: Verdict; parts: [string, string] }[];
  skipped: { file: string; error: string }[];
  interrupted: boolean;
}

export interface MatrixCell {
  groups: [number, number];
  /** Null: pairs of these groups are not checked. */
  required: number | null;
  findings: number;
  worst: Verdict | null;
}

export interface Part {
  id: string;
  name: string;
  file: string;
  group: number;
  kind: string;
  triangles: number;
  bounds: [Vec3, Vec3] | null;
  motion: Motion | null;
  notes: string[];
}

export interface Motion {
  t0: number;
  t1: number;
  displacement?: Vec3;
  screw?: { axis: Vec3; center: Vec3; angle: number; shift: number };
}

export interface Finding {
  id: string;
  verdict: Verdict;
  parts: [number, number];
  rule: string;
  required: number;
  status: "new" | "persistent" | null;
  distance: Bracket | null;
  closest: [Vec3, Vec3] | null;
  plane: { normal: Vec3; offset: number } | null;
  depth: (Bracket & { kind: "translation" | "local" | "surface"; point: Vec3 | null; surface: number | null }) | null;
  volume: Bracket | null;
  inside: number | null;
  points: Vec3[];
  contacts: number;
  motion: When | null;
}

export interface When {
  contact: string;
  first_contact: Bracket | null;
  exact: { num: string; den: string } | null;
  first_overlap: Bracket | null;
  closest_time: number | null;
  normal: Vec3 | null;
}

export interface Scene {
  version: number;
  geometries: { offset: number; vertices: number; triangles: number; center: Vec3 }[];
  parts: { geometry: number | null; pose: number[]; bounds: [Vec3, Vec3] | null }[];
  curves: { finding: number; offset: number; segments: number; center: Vec3 }[];
  /** Whether some parts are drawn as their boxes to keep the file small. */
  simplified: boolean;
}
