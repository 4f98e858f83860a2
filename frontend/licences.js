import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Writes THIRD_PARTY.txt: every package of which something is in the built page, with its licence. */
export function licences() {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      const packages = [...this.getModuleIds()].map(packageOf).filter(Boolean);
      const source = [...new Set(packages)].sort().map(describe).join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({
        type: "asset",
        fileName: "THIRD_PARTY.txt",
        source: `The page of Montego holds parts of these packages.\n\n${source}`,
      });
    },
  };
}

const packageOf = (id) => id.match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).sort().find((entry) => /^licen[cs]e/i.test(entry));
  if (!file || !existsSync(join(folder, file))) throw new Error(`${name} has no licence file`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
