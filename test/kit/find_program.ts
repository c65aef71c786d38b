import { existsSync } from "node:fs";
import { join } from "node:path";

/** Programs that some tests need beside Bun, their Debian packages, and where else they may be. */
export const PROGRAMS = {
  bash: { debian: "bash" },
  caddy: { debian: "caddy" },
  chromium: { debian: "chromium" },
  curl: { debian: "curl" },
  "fail2ban-server": { debian: "fail2ban" },
  "firefox-esr": { debian: "firefox-esr" },
  fish: { debian: "fish" },
  gcc: { debian: "gcc" },
  haproxy: { debian: "haproxy" },
  ipset: { debian: "ipset" },
  jq: { debian: "jq" },
  nft: { debian: "nftables" },
  nginx: { debian: "nginx-light" },
  node: { debian: "nodejs" },
  prometheus: { debian: "prometheus" },
  promtool: { debian: "prometheus" },
  python3: { debian: "python3" },
  rbldnsd: { debian: "rbldnsd" },
  "systemd-analyze": { debian: "systemd" },
  tinyproxy: { debian: "tinyproxy" },
  unbound: { debian: "unbound" },
  unshare: { debian: "util-linux" },
  zsh: { debian: "zsh" },
} as const;
export type Program = keyof typeof PROGRAMS;

/** Path of a program, or undefined if it is missing: then its tests are skipped, and `test/run.ts` reports it. */
export function findProgram(program: Program): string | undefined {
  const folders = [...(Bun.env.PATH ?? "").split(":"), "/usr/bin", "/usr/sbin", "/usr/local/sbin"];
  return folders
    .map((folder) => join(folder, program))
    .find((path) => path.startsWith("/") && existsSync(path));
}
