import { writeFileSync } from "node:fs";
import { findProgram, type Program } from "#kit";

/** The formats that a program loads, with the programs that the load needs. */
const PROGRAMS_OF = {
  nft: ["nft", "unshare"],
  ipset: ["ipset", "unshare"],
  nginx: ["nginx"],
  haproxy: ["haproxy"],
} as const satisfies Record<string, readonly Program[]>;
export type LoadedFormat = keyof typeof PROGRAMS_OF;
export const LOADED_FORMATS = Object.keys(PROGRAMS_OF) as LoadedFormat[];

/** Whether the programs are here, and allowed to load into a network namespace of their own. */
export function canLoad(format: LoadedFormat): boolean {
  const list = { nft: "nft list ruleset", ipset: "ipset list -n", nginx: "true", haproxy: "true" }[format];
  return PROGRAMS_OF[format].every((name) => findProgram(name) !== undefined) && run(format, list).code === 0;
}

/** Loads a file with the real program, twice where it replaces what is there. `loaded` is the number of its prefixes. */
export function loadList(format: LoadedFormat, file: string) {
  if (format === "nft") {
    const { code, text } = run(format, `nft -f ${file} && nft -f ${file} && nft list table inet limpid`);
    return { code, text, loaded: text.match(/[0-9a-f]+[.:][0-9a-f.:/]+/g)?.length ?? 0 };
  }
  if (format === "ipset") {
    const sets = "ipset list limpid4 -terse && ipset list limpid6 -terse";
    const { code, text } = run(format, `ipset restore < ${file} && ipset restore < ${file} && ${sets}`);
    const counts = [...text.matchAll(/Number of entries: (\d+)/g)].map(([, count]) => Number(count));
    return { code, text, loaded: counts.reduce((sum, count) => sum + count, 0) };
  }
  const config = `${file}.conf`;
  writeFileSync(
    config,
    format === "nginx"
      ? `pid ${file}.pid;\nerror_log stderr;\nevents {}\nhttp { geo $limpid { default 0; include ${file}; } }\n`
      : `defaults\n  mode http\n  timeout connect 1s\n  timeout client 1s\n  timeout server 1s\nfrontend site\n  bind 127.0.0.1:1\n  http-request deny if { src -f ${file} }\n`,
  );
  const { code, text } = run(
    format,
    format === "nginx" ? `nginx -t -c ${config}` : `haproxy -c -f ${config}`,
  );
  // Both read every line, and name the first one that is wrong.
  const lines = `grep -c '^[^#]' ${file}`;
  return { code, text, loaded: Number(run(format, lines).text) };
}

function run(format: LoadedFormat, script: string): { readonly code: number; readonly text: string } {
  // Only the real root may send nft's large messages; another user needs a user namespace too.
  const namespaces = process.getuid?.() === 0 ? "-n" : "-rn";
  const own = format === "nft" || format === "ipset" ? ["unshare", namespaces] : [];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...own, "sh", "-c", script], {
    env: { PATH: `${Bun.env.PATH}:/usr/sbin:/sbin` },
  });
  return { code: exitCode, text: `${stdout}${stderr}` };
}
