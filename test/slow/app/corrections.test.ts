import { expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, type RunningService, startTestService } from "#kit";

/** An address of a hosting company; the tables that ship know it. */
const ADDRESS = "46.4.84.25";
/** The file is read again at most a second after its change. */
const SECOND_MS = 1050;

/** What every way to ask says about the address. */
async function ask({ url }: RunningService) {
  const get = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  // First, so that nothing but the cache of replies is asked after a change.
  const report = (await (await get(`/ip/${ADDRESS}.json`)).json()) as {
    readonly usageType: string;
    readonly flags: { readonly isHosting: boolean };
    readonly sources: readonly { readonly name: string; readonly detail?: string }[];
  };
  const auth = await get("/auth?deny=hosting&survey=0", { headers: { "x-forwarded-for": ADDRESS } });
  const classified = await get("/api/classify", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([ADDRESS]),
  });
  const [row] = (await classified.json()) as readonly { readonly usageType: string }[];
  return {
    auth: auth.headers.get("x-ip-verdict"),
    classified: row?.usageType,
    report: report.usageType,
    isHosting: report.flags.isHosting,
    reason: report.sources.at(-1)?.detail,
    card: Bun.hash(await (await get(`/en/ip/${ADDRESS}.png`)).bytes()),
  };
}

test("corrections that change apply to every answer within a second, and a wrong file changes nothing", async () => {
  const folder = createTemporaryFolder("limpid-corrections-");
  const path = join(folder, "corrections.csv");
  const write = async (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
    await Bun.sleep(SECOND_MS);
  };
  await write("# none yet\n");
  const service = await startTestService({
    env: {
      LIMPID_CORRECTIONS: path,
      LIMPID_LIVE: "0",
      LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
      LIMPID_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  const plain = await ask(service);
  expect(plain).toMatchObject({ auth: "deny hosting", classified: "hosting", report: "hosting" });
  // The second time the report comes from the cache of replies, and the card from its own.
  expect(await ask(service)).toEqual(plain);

  await write(`${ADDRESS},business,2999-12-31,our own servers\n`);
  const { card, ...corrected } = await ask(service);
  expect(corrected).toEqual({
    auth: "pass",
    classified: "business",
    report: "business",
    isHosting: false,
    reason: "our own servers",
  });
  expect(card).not.toBe(plain.card);

  await write(`${ADDRESS},hosting,2999-12-31,another word\n${ADDRESS},business\n`);
  expect(await ask(service)).toEqual({ ...corrected, card });
  expect(service.log()).toMatch(/corrections_refused.*row 2/);

  await write("");
  expect(await ask(service)).toEqual(plain);
}, 60_000);
