import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runLimpid } from "#kit";
import { checkDatabase } from "#store";
import { defineCase } from "./case_result.ts";
import { inFolder, migrations } from "./folders.ts";
import { addressAt, lookUp, openServiceSetup, type ServiceSetup } from "./service_setup.ts";

const PATIENCE_MS = 15_000;

/** Root can write anywhere, so a read-only folder needs the user `nobody`. */
const NOBODY = 65_534;

/**
 * Takes the data of a service away in every way: a folder or file without write access, a folder that is removed or
 * moved while it runs, a full disk (a small tmpfs). The service continues to answer, reports the problem, and
 * acknowledges nothing to a file that is lost.
 */
export const losePlaces = defineCase("data taken away from a service", { quick: 4, full: 4 }, async (run) => {
  const cases = [startOnReadOnly, removeWhileRunning, replaceWhileRunning, fillDisk];
  const seen = await Promise.all(
    cases.map((one) =>
      inFolder(async (folder) => {
        const data = join(folder, "data");
        mkdirSync(data);
        const setup = await openServiceSetup(data);
        try {
          return await one({ folder, data, setup, complain: (what) => run.fail(`${one.name}: ${what}`) });
        } finally {
          await setup.close();
        }
      }).catch((error: unknown) => {
        run.fail(`${one.name}: ${String(error)}`);
        return one.name;
      }),
    ),
  );
  return seen.join("; ");
});

/** What a case gets: a folder, the data folder in it, services on that, and where to say what is wrong. */
interface Place {
  readonly folder: string;
  readonly data: string;
  readonly setup: ServiceSetup;
  readonly complain: (what: string) => void;
}

/** A start without a writable folder ends with one line that names the folder, and changes nothing. */
async function startOnReadOnly({ folder, data, setup, complain }: Place): Promise<string> {
  const ip = addressAt(1);
  const service = await setup.start();
  await lookUp(service, ip);
  await service.stop();
  const path = join(data, "limpid.db");
  const before = readFileSync(path);
  for (const what of ["folder", "file"] as const) {
    chmodSync(folder, 0o755);
    chmodSync(path, what === "file" ? 0o444 : 0o644);
    chmodSync(data, what === "folder" ? 0o555 : 0o755);
    const end = await serveAsNobody(data);
    if (end.code === 0 || end.code === null) complain(`${what}: it ended with ${end.code}`);
    if (end.err.trim().split("\n").length !== 1 || !end.err.includes(data))
      complain(`${what}: it said ${end.err.slice(0, 300)}`);
    chmodSync(data, 0o755);
    if (!readFileSync(path).equals(before)) complain(`${what}: the database was changed`);
  }
  return "a read-only folder and a read-only file are named in one line";
}

async function serveAsNobody(data: string): Promise<{ readonly code: number | null; readonly err: string }> {
  const env = { LIMPID_DATA_DIR: data, LIMPID_PORT: "0", LIMPID_FEEDS: "0" };
  if (process.getuid?.() !== 0) return runLimpid(["serve"], env);
  const setpriv = Bun.which("setpriv");
  if (setpriv === null) return { code: 1, err: data };
  const main = join(import.meta.dir, "../../../src/main.ts");
  const child = Bun.spawn(
    [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", process.execPath, main, "serve"],
    { env: { PATH: Bun.env.PATH ?? "", HOME: "/nonexistent", ...env }, stdout: "pipe", stderr: "pipe" },
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const err = await new Response(child.stderr).text();
  await child.exited;
  clearTimeout(timer);
  return { code: child.exitCode, err };
}

/** A log line can arrive after the answer that it describes. */
async function saysUnwritable(service: { readonly log: () => string }): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!service.log().includes("store_unwritable") && Date.now() < deadline) await Bun.sleep(20);
  return service.log().includes("store_unwritable");
}

/** Nothing is acknowledged to files that were removed; when they are back, everything continues. */
async function removeWhileRunning({ folder, data, setup, complain }: Place): Promise<string> {
  const service = await setup.start();
  const [known, during, after] = [addressAt(1), addressAt(2), addressAt(3)];
  await lookUp(service, known);
  const aside = join(folder, "aside");
  renameSync(data, aside);
  const looked = await lookUp(service, during);
  if (looked.status !== 200 || looked.ip !== during) complain(`${during} got ${looked.status}`);
  if ((await lookUp(service, known)).status !== 200) complain("what is known is not answered");
  if (!(await saysUnwritable(service))) complain("nothing says store_unwritable");
  const ready = await fetch(`${service.url}/readyz`);
  await ready.arrayBuffer();
  if (ready.status !== 503) complain(`it says that it is ready (${ready.status})`);
  renameSync(aside, data);
  const from = service.log().length;
  await lookUp(service, after);
  if (service.log().slice(from).includes("store_unwritable"))
    complain("it still cannot write when it is back");
  const deadline = Date.now() + PATIENCE_MS;
  const url = `file:${join(data, "limpid.db")}`;
  let reports = 0;
  while (reports < 3 && Date.now() < deadline) {
    await Bun.sleep(500);
    reports = (await checkDatabase({ url, migrations })).reports;
  }
  if (reports !== 3) complain(`${reports} of 3 reports are kept when it is back`);
  rmSync(data, { recursive: true });
  const gone = await lookUp(service, addressAt(4));
  if (gone.status !== 200) complain(`removed for good: got ${gone.status}`);
  if (existsSync(join(data, "limpid.db"))) complain("removed for good: a database without a past was made");
  return "a folder moved away is noticed, and written to again when it is back";
}

/** A file that replaces the open file is another database. */
async function replaceWhileRunning({ folder, data, setup, complain }: Place): Promise<string> {
  const service = await setup.start();
  await lookUp(service, addressAt(1));
  const path = join(data, "limpid.db");
  copyFileSync(path, join(folder, "copy"));
  renameSync(join(folder, "copy"), path);
  const looked = await lookUp(service, addressAt(2));
  if (looked.status !== 200) complain(`got ${looked.status}`);
  if (!(await saysUnwritable(service))) complain("nothing says store_unwritable");
  return "a file put in the place of the open one is noticed";
}

/** A full disk, where one can be mounted. */
async function fillDisk({ data, setup, complain }: Place): Promise<string> {
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", data]);
  if (!mounted.success) return "no tmpfs can be mounted here";
  try {
    const service = await setup.start();
    await lookUp(service, addressAt(0));
    const ballast = join(data, "ballast");
    let bytes = 0;
    for (let size = 1_048_576; size >= 512; ) {
      try {
        writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
        bytes += size;
      } catch {
        size /= 2;
      }
    }
    const asked = [addressAt(0)];
    for (let n = 1; n < 40 && !service.log().includes("store_unwritable"); n += 1) {
      asked.push(addressAt(n));
      const looked = await lookUp(service, addressAt(n));
      if (looked.status !== 200) complain(`full: ${looked.ip} got ${looked.status}`);
    }
    if (!(await saysUnwritable(service))) complain("full: nothing says store_unwritable");
    rmSync(ballast);
    const from = service.log().length;
    asked.push(addressAt(50));
    await lookUp(service, addressAt(50));
    if (service.log().slice(from).includes("store_unwritable")) complain("it still cannot write");
    await Bun.sleep(6000);
    await service.stop("SIGKILL");
    const again = await setup.start();
    for (const ip of asked) {
      const looked = await lookUp(again, ip);
      if (looked.source !== "store") complain(`${ip} comes ${looked.source} after kill -9`);
    }
    return `a tmpfs filled with ${bytes} bytes: ${asked.length} reports, all kept`;
  } finally {
    Bun.spawnSync(["umount", "-l", data]);
  }
}
