import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openDatasets } from "#datasets";
import { openFeeds } from "#feeds";
import { readAddress } from "#kit";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { alpha } from "../../feeds/small_feeds.ts";
import { defineCase } from "./case_result.ts";
import { project } from "./folders.ts";

const KILLS = { quick: 3, full: 60 } as const;
const FLIPS = { quick: 20, full: 200 } as const;
const ROWS = 300;
const LISTED = "8.8.4.1";
const SEED_TABLES = ["asn", "registration", "country"] as const;

function rowsOf(version: number): string {
  const rows = Array.from({ length: ROWS }, (_, i) => `9.${version & 255}.${i >> 8}.${i & 255}\n`);
  return `${LISTED}\n${rows.join("")}`;
}

/**
 * Kills a process that downloads and compiles a list again and again, at any moment. The next start has a complete
 * list of one version at once, before anything is compiled again.
 */
export const killFeeds = defineCase(
  "kill -9 while a list is downloaded, compiled and replaced",
  KILLS,
  async ({ folder, runs, chance, fail }) => {
    const at = await openFeedSetup();
    let version = 0;
    at.gateway.on("lists.example", "/alpha.txt", () => ({ text: rowsOf(++version) }));
    let due = 0;
    for (let kill = 0; kill < runs; kill += 1) {
      const script = join(project, "test/proof/durability/update_forever.ts");
      const child = Bun.spawn([process.execPath, script, folder, at.gateway.url], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const reader = child.stdout.getReader();
      for (let updates = 0; updates < 3; ) {
        const { value, done } = await reader.read();
        if (done) break;
        updates += new TextDecoder().decode(value).split("updated").length - 1;
      }
      await Bun.sleep(chance() * 25);
      child.kill("SIGKILL");
      await child.exited;

      const feeds = openFeeds({ directory: folder, feeds: [alpha], now: () => Date.now() });
      const says = () => JSON.stringify(feeds.lists(readAddress(LISTED)));
      const wanted = JSON.stringify([{ feed: "alpha", meaning: "abuse" }]);
      if (says() !== wanted) fail(`kill ${kill}: before anything is made anew the list says ${says()}`);
      // Of the many addresses that name their make, those of exactly one are listed.
      const makes = Array.from({ length: version + 1 }, (_, make) => make).filter(
        (make) => feeds.lists(readAddress(`9.${make & 255}.0.0`)) !== undefined,
      );
      if (makes.length !== 1) fail(`kill ${kill}: the table is of ${makes.length} makes`);
      if (feeds.state("alpha").rows !== ROWS + 1)
        fail(`kill ${kill}: the download has ${feeds.state("alpha").rows} rows`);
      if (!feeds.isCurrent()) {
        due += 1;
        await feeds.rebuild(at.compiler);
      }
      if (!feeds.state("alpha").ready || says() !== wanted) fail(`kill ${kill}: made anew it says ${says()}`);
    }
    await at.close();
    return `the list spoke at once after each; ${due} times a newer download was compiled then`;
  },
);

/** Turns a bit of a file, or cuts the file, within its first `most` bytes. Says what was done. */
function damage(path: string, chance: () => number, most?: number): string {
  const bytes = readFileSync(path);
  const isCut = chance() < 0.2;
  const at = Math.floor(chance() * (most ?? bytes.length));
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
  writeFileSync(path, isCut ? bytes.subarray(0, at) : bytes);
  return `${isCut ? "cut to" : "turned at"} ${at} of ${bytes.length}`;
}

/**
 * Flips bits of the stored files of a downloaded list. The list then reports the right entries or nothing, and a new
 * download repairs everything.
 */
export const flipFeeds = defineCase(
  "damaged bytes in what is kept of a downloaded list",
  FLIPS,
  async ({ folder, runs, chance, fail }) => {
    const at = await openFeedSetup();
    // The server always answers that there is nothing new.
    at.gateway.on("lists.example", "/alpha.txt", (call) =>
      call.headers.get("if-none-match") === null
        ? { text: rowsOf(1), headers: { etag: '"one"' } }
        : { status: 304 },
    );
    const startMs = at.clock.nowMs;
    const open = (directory: string) => openFeeds({ directory, feeds: [alpha], now: () => at.clock.nowMs });
    const refresh = async (directory: string) => {
      const feeds = open(directory);
      await at.refresh(alpha, feeds, { compiles: true });
      return feeds;
    };
    const sound = join(folder, "sound");
    mkdirSync(sound);
    await refresh(sound);
    const names = readdirSync(sound, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:table|json|data)$/.test(name),
    );
    const probes = [LISTED, "9.1.0.7", "9.1.1.3", "8.8.8.8", "9.2.0.0"].map((text) => readAddress(text));
    const soundFeeds = open(sound);
    const right = {
      words: probes.map((probe) => JSON.stringify(soundFeeds.lists(probe))),
      state: JSON.stringify(soundFeeds.state("alpha")),
    };
    const seen = { right: 0, silent: 0 };
    const place = join(folder, "copy");
    for (let turn = 0; turn < runs; turn += 1) {
      at.clock.nowMs = startMs;
      rmSync(place, { recursive: true, force: true });
      cpSync(sound, place, { recursive: true });
      const name = names[turn % names.length] ?? "";
      const path = join(place, name);
      const what = `${name} ${damage(path, chance)}`;
      const feeds = open(place);
      try {
        for (const [index, probe] of probes.entries()) {
          const said = JSON.stringify(feeds.lists(probe));
          if (said === right.words[index]) seen.right += 1;
          else if (said === undefined) seen.silent += 1;
          else fail(`${what}: ${probe.text} is ${said}`);
        }
        const state = feeds.state("alpha");
        if (state.ready && JSON.stringify(state) !== right.state)
          fail(`${what}: the state is ${JSON.stringify(state)}`);
        // Cached files are downloaded again later; a damaged download must not become a table.
        rmSync(join(place, "tables.json"), { force: true });
        const again = open(place);
        if (!again.isCurrent()) await again.rebuild(at.compiler);
        for (const [index, probe] of probes.entries()) {
          const said = JSON.stringify(again.lists(probe));
          if (said !== undefined && said !== right.words[index])
            fail(`${what}, compiled: ${probe.text} is ${said}`);
        }
        at.clock.nowMs += 1;
        const healed = await refresh(place);
        for (const [index, probe] of probes.entries()) {
          const said = JSON.stringify(healed.lists(probe));
          if (said !== right.words[index]) fail(`${what}, downloaded again: ${probe.text} is ${said}`);
        }
      } catch (error) {
        fail(`${what}: ${String(error)}`);
      }
    }
    await at.close();
    return `${seen.right} words right, ${seen.silent} unsaid, 0 wrong; all well after a download`;
  },
);

/** Turns bytes of the seed tables: a table is right or says that it cannot be used. */
export const flipSeeds = defineCase(
  "damaged bytes in the seed tables",
  FLIPS,
  async ({ folder, runs, chance, fail }) => {
    const seedFolder = join(project, "seed");
    const tables = SEED_TABLES.filter((id) => existsSync(join(seedFolder, `${id}.table`)));
    const probes = ["8.8.8.8", "1.1.1.1", "2606:4700::1", "203.0.113.5"].map((text) => readAddress(text));
    const ask = (directory: string, id: (typeof SEED_TABLES)[number]) => {
      const datasets = openDatasets({ directory });
      if (!datasets.state(id).ready) return undefined;
      return JSON.stringify(probes.map((probe) => datasets[id](probe) ?? null));
    };
    let refused = 0;
    for (let turn = 0; turn < runs && tables.length > 0; turn += 1) {
      const id = tables[turn % tables.length] ?? "asn";
      const right = ask(seedFolder, id);
      const path = join(folder, `${id}.table`);
      copyFileSync(join(seedFolder, `${id}.table`), path);
      // The first bytes decide how the rest is read.
      const what = `${id} ${damage(path, chance, chance() < 0.3 ? 200 : undefined)}`;
      try {
        const said = ask(folder, id);
        if (said === undefined) refused += 1;
        else if (said !== right) fail(`${what}: ${said}`);
      } catch (error) {
        fail(`${what}: ${String(error)}`);
      }
      rmSync(path, { force: true });
    }
    return tables.length === 0 ? "no seed is there" : `${refused} refused, ${runs - refused} right`;
  },
);
