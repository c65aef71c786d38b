import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, startTestService } from "#kit";

test("callbacks that throw do not end the service: it logs each message once and counts the errors", async () => {
  const folder = createTemporaryFolder("limpid-uncaught-");
  const preload = join(folder, "throw.ts");
  const begin = join(folder, "begin");
  // An error while the service starts ends it, so the preload waits until it listens.
  writeFileSync(
    preload,
    `import { existsSync } from "node:fs";
    if (Bun.isMainThread) {
      const waiting = setInterval(() => {
        if (!existsSync(${JSON.stringify(begin)})) return;
        clearInterval(waiting);
        setInterval(() => { throw new Error("a timer throws"); }, 50);
        setInterval(() => { void Promise.reject(new Error("a promise rejects")); }, 50);
        setInterval(() => {
          const aborting = new AbortController();
          aborting.signal.addEventListener("abort", () => { throw new Error("an event throws"); });
          aborting.abort();
        }, 50);
      }, 50);
    }`,
  );
  const service = await startTestService({ env: { LIMPID_LIVE: "0", BUN_OPTIONS: `--preload=${preload}` } });
  writeFileSync(begin, "");
  const count = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^limpid_uncaught_errors_total (\d+)$/m.exec(text)?.[1]);
  };
  for (let turn = 0; turn < 100 && (await count()) < 30; turn += 1) await Bun.sleep(100);
  expect(await count()).toBeGreaterThanOrEqual(30);
  const events = service
    .log()
    .split("\n")
    .filter((line) => line.includes('"uncaught_error"'));
  const messages = events.map((line) => JSON.parse(line).message).sort();
  expect(messages).toEqual(["Error: a promise rejects", "Error: a timer throws", "Error: an event throws"]);
  expect(await service.stop()).toBe(0);
}, 30_000);
