import { expect, test } from "bun:test";
import { join } from "node:path";
import { startSqld } from "#kit";
import { openStoreLater } from "#store";
import { makeReport } from "./make_report.ts";

const migrations = join(import.meta.dir, "../../drizzle");

test("openStoreLater() fails everything while the server is away, and opens when it is back", async () => {
  const sqld = await startSqld();
  await sqld.kill();
  const logged: string[] = [];
  const store = await openStoreLater({ url: sqld.url, migrations }, (_, event) => logged.push(event));
  try {
    expect(logged).toEqual(["database_not_reached"]);
    expect(store.ping()).rejects.toThrow("Cannot open database");
    expect(store.find("198.51.100.7")).rejects.toThrow("Cannot open database");
    await sqld.restart();
    for (let turn = 0; turn < 300 && logged.length === 1; turn += 1) await Bun.sleep(50);
    expect(logged).toEqual(["database_not_reached", "database_reached"]);
    await store.save(makeReport("198.51.100.7", 1000), "{}");
    expect(await store.find("198.51.100.7")).toMatchObject({ surveyedAt: 1000 });
  } finally {
    await store.close();
    await sqld.close();
  }
}, 30_000);

test("openStoreLater() opens at once what is there, and rejects what answered that it is no database", async () => {
  const sqld = await startSqld();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("no", { status: 401 }),
  });
  try {
    const logged: string[] = [];
    const store = await openStoreLater({ url: sqld.url, migrations }, (_, event) => logged.push(event));
    await store.ping();
    await store.close();
    expect(logged).toEqual([]);
    const url = `http://127.0.0.1:${server.port}`;
    expect(openStoreLater({ url, migrations }, () => {})).rejects.toThrow("401");
  } finally {
    await server.stop(true);
    await sqld.close();
  }
});
