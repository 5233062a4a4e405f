/** The 3-D view: draws when something changed, and not otherwise. */

import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Raycaster, Scene as Stage, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { momentOf } from "../filter";
import { Lengths, number } from "../format";
import type { Scene, Verdict } from "../model";
import { displacementAt, timeSpan } from "../motion";
import type { State } from "../state";
import { measureOf, verdictColour, VERDICTS } from "../verdicts";
import { Contact } from "./contact";
import { Flight, type Goal } from "./flight";
import { extentShown, fitting, goalFor, placeOf } from "./focus";
import { Label } from "./label";
import { Markers } from "./markers";
import { palette, type Palette } from "./palette";
import { type Others, Parts } from "./parts";
import { Section } from "./section";
import { Space } from "./space";
import { Triad } from "./triad";

const FIRST_DIRECTION = new Vector3(1, -1.35, 0.85).normalize();
/** Rays through more triangles than this would make clicks slow. */
const MOST_TRIANGLES_TO_LOOK_THROUGH = 400_000;

export class Viewer {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly stage = new Stage();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly flight: Flight;
  private readonly space: Space;
  private readonly parts: Parts;
  private readonly section: Section;
  private readonly contact: Contact;
  private readonly markers: Markers;
  private readonly triad: Triad;
  private readonly label = new Label();
  private readonly lengths: Lengths;
  private readonly span: [number, number] | null;
  private readonly places = new Map<number, Box3>();
  private readonly ray = new Raycaster();
  private colours!: Palette;
  private asked = false;

  /** Throws where there is no WebGL. */
  constructor(private readonly host: HTMLElement, private readonly state: State, scene: Scene, buffer: ArrayBuffer) {
    const report = state.report;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "3-D view of the assembly. The table and the details say the same in words.");
    this.lengths = new Lengths(report.unit);
    this.span = timeSpan(report.parts);
    this.space = new Space(report);
    this.section = new Section(null, this.space);
    this.parts = new Parts(report, scene, buffer, this.space, this.section.planes);
    this.section.attach(this.parts);
    this.contact = new Contact(scene, buffer, this.space, this.section.planes);
    this.markers = new Markers((finding) => this.place(finding).getCenter(new Vector3()));
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.ask());
    this.flight = new Flight(this.camera, this.controls);
    this.triad = new Triad((direction) => this.look(direction));
    this.light();
    this.stage.add(this.parts.group, this.section.group, this.contact.group, this.markers.points);
    host.prepend(this.canvas);
    host.append(this.label.element, this.triad.element);
    this.listen();
    this.repaint();
    this.resize();
    this.flight.put(this.goalOfAll(FIRST_DIRECTION));
  }

  private light(): void {
    const key = new DirectionalLight(0xffffff, 1.6);
    key.position.set(-0.6, 1.1, 1.4);
    const fill = new DirectionalLight(0xffffff, 0.85);
    fill.position.set(0.9, -0.9, 0.6);
    // Lights go with the camera: whatever is looked at is lit from above its shoulder.
    this.camera.add(key, fill, key.target, fill.target);
    const sky = new HemisphereLight(0xffffff, 0xaab1bb, 1.35);
    sky.position.set(0, 0, 1);
    this.stage.add(this.camera, sky, new AmbientLight(0xffffff, 0.25));
  }

  private listen(): void {
    new ResizeObserver(() => this.resize()).observe(this.host);
    this.state.on(["selection"], () => this.selected());
    this.state.on(["list"], () => this.remark());
    this.state.on(["time", "view"], () => this.moved());
    this.state.on(["theme"], () => this.repaint());
    this.canvas.addEventListener("webglcontextrestored", () => this.ask());
  }

  private place(index: number): Box3 {
    let place = this.places.get(index);
    if (!place) {
      place = placeOf(this.state.report.findings[index]!, this.state.report, this.space);
      this.places.set(index, place);
    }
    return place;
  }

  /** Time and explosion at which the marks of a finding are where the parts are. */
  private atItsMoment(): boolean {
    const finding = this.state.finding;
    if (!finding || this.state.view.explode > 0) return false;
    const moves = finding.parts.some((part) => this.state.report.parts[part]!.motion);
    if (!moves || !this.span) return true;
    const moment = momentOf(finding) ?? this.span[0];
    return Math.abs(this.state.time - moment) <= 0.004 * (this.span[1] - this.span[0]);
  }

  private get others(): Others {
    if (this.state.selected === null) return "solid";
    return this.state.view.alone ? "hidden" : "ghost";
  }

  private selected(): void {
    const finding = this.state.finding;
    this.parts.select(finding ? finding.parts : null);
    this.repaint();
    if (finding) this.fly();
  }

  private repaint(): void {
    this.colours = palette();
    this.parts.paint(this.colours, this.others === "ghost");
    this.section.paint(this.colours);
    this.remark();
    this.moved();
  }

  private remark(): void {
    const colours = new Map(VERDICTS.map((verdict) => [verdict, new Color(verdictColour(verdict))]));
    const verdictOf = (finding: number): Verdict => this.state.report.findings[finding]!.verdict;
    this.markers.show(this.state.list, (finding) => colours.get(verdictOf(finding))!, this.colours.halo, this.section.planes[0]!);
    this.ask();
  }

  private moved(): void {
    const { finding, selected, view, time } = this.state;
    this.parts.move(time, view.explode * 1.6);
    this.parts.setOthers(this.others);
    this.parts.setOpacity(this.opacities());
    this.parts.showTwin(finding?.verdict === "duplicate", this.colours);
    this.section.update(view.section, this.parts, this.others);
    if (selected === null) this.remark();
    this.markers.points.visible = selected === null && view.explode === 0;
    const marked = finding !== null && selected !== null && this.atItsMoment();
    this.contact.clear();
    if (marked) this.contact.show(selected, finding, this.colours, extentShown(this.place(selected), this.boxes(selected)));
    const [text, at] = marked ? this.measure(selected) : ["", null];
    this.label.show(text, at);
    this.ask();
  }

  private opacities(): [number, number] {
    const { finding, view } = this.state;
    if (!finding || !view.seeThrough) return [1, 1];
    if (finding.inside === null) return [0.35, 0.35];
    return finding.inside === finding.parts[0] ? [1, 0.18] : [0.18, 1];
  }

  /** Boxes of the two parts at the finding's moment. */
  private boxes(index: number): Box3[] {
    const { findings, parts } = this.state.report;
    return findings[index]!.parts.flatMap((part) => {
      const { bounds, motion } = parts[part]!;
      if (!bounds) return [];
      const box = this.space.box(bounds);
      return motion ? box.applyMatrix4(displacementAt(motion, this.state.time, this.space.origin)) : box;
    });
  }

  private measure(index: number): [string, Vector3 | null] {
    const finding = this.state.report.findings[index]!;
    const measure = measureOf(finding);
    const at = this.place(index).getCenter(new Vector3());
    const contact = finding.motion?.first_contact;
    if (contact) return [`contact at t = ${number(contact.upper)}`, at];
    if (measure.kind === "gap") return [`${this.lengths.bracket(measure)} apart`, at];
    if (measure.kind === "depth") {
      const deepest = finding.depth?.point;
      return [`${this.lengths.bracket(measure)} deep`, deepest ? this.space.point(deepest) : at];
    }
    return ["", null];
  }

  /** Flies to the selected finding, or to the whole. */
  fly(): void {
    const { finding, selected, report } = this.state;
    if (!finding || selected === null) return this.fit();
    const few = finding.parts.every((part) => report.parts[part]!.triangles < MOST_TRIANGLES_TO_LOOK_THROUGH);
    this.parts.pair.forEach((mesh) => mesh.updateMatrixWorld());
    const meshes = few ? this.parts.pair.filter((mesh) => mesh.visible) : [];
    this.flight.to(goalFor(finding, this.place(selected), this.boxes(selected), meshes, this.ray, this.flight.now().direction, this.space.radius));
    this.ask();
  }

  fit(): void {
    this.flight.to(this.goalOfAll(this.flight.now().direction));
    this.ask();
  }

  look(direction: Vector3): void {
    // Straight from above the view would have no up; a hair beside it has.
    const tilted = direction.clone().add(new Vector3(0, -1e-3, 0)).normalize();
    this.flight.to({ ...this.flight.now(), direction: tilted });
    this.ask();
  }

  private goalOfAll(direction: Vector3): Goal {
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) * 0.88;
    const corners = this.parts.corners();
    return fitting(corners.length > 0 ? corners : [new Vector3()], direction, [tangent * this.camera.aspect, tangent]);
  }

  /** Moves the section plane to the selected finding, and cuts away the side towards the camera. */
  cutAtFinding(): void {
    const { selected, view } = this.state;
    view.section.flipped = this.flight.now().direction.getComponent(view.section.axis) < 0;
    if (selected === null) return;
    view.section.at = this.section.shareOf(view.section.axis, this.place(selected).getCenter(new Vector3()));
  }

  /** What is at a place of the picture, in pixels of it. */
  pick(x: number, y: number, reach: number): { finding: number | null; part: number | null } {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const finding = this.markers.pick(x, y, width, height, this.camera, reach);
    if (finding !== null || this.state.report.summary.triangles > 20 * MOST_TRIANGLES_TO_LOOK_THROUGH) return { finding, part: null };
    this.ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return { finding: null, part: this.parts.pick(this.ray) };
  }

  /** The current picture, for printing. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL("image/png");
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.contact.resize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  /** Draws in the next frame. */
  ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.flight.step();
      this.controls.update();
      this.draw();
      if (this.flight.flying) this.ask();
    });
  }

  private draw(): void {
    const away = this.camera.position.length() + this.space.radius * (2 + 3 * this.state.view.explode);
    this.camera.near = Math.max(this.camera.position.distanceTo(this.controls.target) * 0.01, away * 1e-6);
    this.camera.far = away;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.stage, this.camera);
    this.label.place(this.camera, this.host.clientWidth, this.host.clientHeight);
    this.triad.turn(this.camera.quaternion);
    this.host.dataset.camera = this.camera.position.toArray().map((x) => x.toPrecision(6)).join(" ");
    this.host.dataset.flying = String(this.flight.flying);
  }
}
