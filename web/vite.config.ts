import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Everything into one file: browsers refuse module files from disk, and a report is sent by mail. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["report.html"];
      if (page?.type !== "asset") throw new Error("no report.html in the bundle");
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        const file = name.replace(/[.]/g, "\\.");
        const text = item.type === "chunk" ? item.code : String(item.source);
        const [tag, element] = name.endsWith(".css")
          ? [`<link [^>]*${file}[^>]*>`, `<style>${text}</style>`]
          : [`<script [^>]*${file}[^>]*></script>`, `<script type="module">${text.replaceAll("</script", "<\\/script")}</script>`];
        const found = html.match(new RegExp(tag));
        if (!found) throw new Error(`${name} is not named in the page`);
        html = html.replace(found[0], () => element);
        delete bundle[name];
      }
      const licence = readFileSync("node_modules/three/LICENSE", "utf8").trim();
      page.source = html.replace("<head>", () => `<head>\n    <!-- Contains three.js:\n${licence}\n-->`);
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [inlined()],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 1e9,
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: "report.html",
      output: { codeSplitting: false, entryFileNames: "report.js", assetFileNames: "report[extname]" },
    },
  },
});
