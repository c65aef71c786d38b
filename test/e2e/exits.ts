import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { findFreePort, findProgram } from "#kit";

/** One exit of a proxy: its address on loopback, and the public address that stands for it. */
export interface Exit {
  readonly exit: string;
  readonly address: string;
}

/** A program that a test started and ends. */
export interface RunningProgram {
  readonly url: string;
  readonly process: Subprocess;
}

/**
 * Starts nginx in front of limpid. Loopback has no public addresses, so nginx names the public address of each exit, as
 * the NAT of a node does.
 */
export async function startFront(
  folder: string,
  service: string,
  exits: readonly Exit[],
): Promise<RunningProgram> {
  const port = await findFreePort();
  const names = exits.map(({ exit, address }) => `${exit} ${address};`).join(" ");
  const command = writeNginx(
    folder,
    `map $remote_addr $public { ${names} }
server { listen 127.0.0.1:${port}; location / {
  proxy_pass ${service}; proxy_set_header X-Forwarded-For $public;
} }`,
  );
  const process = Bun.spawn([...command], { stdout: "ignore", stderr: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() => fetch(`${url}/healthz`).then(({ ok }) => ok), "nginx");
  return { url, process };
}

/** Writes the configuration of an nginx that keeps all its files in a folder. Returns the command that starts it. */
export function writeNginx(folder: string, http: string): readonly string[] {
  mkdirSync(join(folder, "tmp"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/tmp/${name};`)
    .join("\n");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary}
${http} }
`,
  );
  return [findProgram("nginx") ?? "", "-p", folder, "-e", join(folder, "error.log"), "-c", file];
}

/** Starts a real HTTP proxy whose connections leave from one address of loopback. */
export async function startHttpProxy(folder: string, exit: string): Promise<RunningProgram> {
  const port = await findFreePort();
  const file = join(folder, `tinyproxy-${port}.conf`);
  writeFileSync(
    file,
    `Port ${port}\nListen 127.0.0.1\nBind ${exit}\nTimeout 30\nMaxClients 100\nAllow 127.0.0.1
DisableViaHeader Yes\nLogFile "${folder}/tinyproxy-${port}.log"\nPidFile "${folder}/tinyproxy-${port}.pid"\n`,
  );
  const process = Bun.spawn([findProgram("tinyproxy") ?? "", "-d", "-c", file], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  // Without a proxy request it answers with its own page of errors.
  await waitFor(() => fetch(url).then(() => true), `the proxy with the exit ${exit}`);
  return { url, process };
}

/** Tries until the check is true; a failure is "not yet". */
export async function waitFor(check: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await check().catch(() => false)) return;
    await Bun.sleep(50);
  }
  throw new Error(`Cannot start ${what}`);
}
