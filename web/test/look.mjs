import { chromium } from "playwright-core";
import { mkdirSync, writeFileSync } from "node:fs";
import { fill } from "./fill.mjs";
import { gearbox } from "./gearbox.mjs";
mkdirSync("test/out", { recursive: true });
writeFileSync("test/out/gearbox.html", fill(gearbox()));
