import { describe, expect, test } from "bun:test";
import { setUp } from "#kit";
import { SOURCES, upstreamHosts } from "#sources";
import PLACES from "../../fixtures/attacks/places.json";
import { SECRETS, VICTIM } from "./victim.ts";
import { requestText, send } from "./wire.ts";

/** A key for every source that takes one. */
const KEYS = Object.fromEntries(
  SOURCES.filter(({ secret }) => secret !== undefined).map(({ id }) => [
    `LIMPID_${id.toUpperCase()}_KEY`,
    `attackproofkey${id.replaceAll("_", "")}`,
  ]),
);

const ALL = [...new Set([...Object.values(KEYS), ...Object.values(SECRETS)])];
const FORMS = ALL.flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  btoa(secret),
  btoa(`:${secret}`),
  btoa(`${secret}:`),
]);

const setup = setUp("each");

describe("a secret of the operator", () => {
  test("is in no body, header, log line or metric, even if every source repeats it", async () => {
    const { upstreams } = setup;
    let seen = 0;
    for (const host of upstreamHosts(SOURCES)) {
      upstreams.gateway.on(host, /./, (call, turn) => {
        const said = `${call.path} ${JSON.stringify([...call.headers])} ${call.body}`;
        if (ALL.some((secret) => said.includes(secret))) seen++;
        return turn % 2 === 0
          ? { status: 403, json: { error: said, message: said, status: "error" } }
          : { json: { error: said, message: said, ip: said, success: false, country: said } };
      });
    }
    const victim = await setup.start({ ...VICTIM, ...KEYS });
    const heard: string[] = [];
    for (const address of ["8.8.8.8", "2606:4700::1111"]) {
      for (const path of PLACES.ofAReport.map((place) => place.replace("ADDRESS", address)))
        heard.push((await send(victim, requestText(path), { quietMs: 8_000, mostMs: 9_000 })).text);
    }
    for (const path of ["/", "/docs", "/openapi.json", "/readyz", "/nothing", "/llms.txt", "/ip/x.json"])
      heard.push((await send(victim, requestText(path))).text);
    heard.push(
      (await send(victim, requestText("/metrics", [`Authorization: Bearer ${SECRETS.LIMPID_METRICS_TOKEN}`])))
        .text,
    );
    heard.push(victim.log());
    expect(seen).toBeGreaterThan(5);
    expect(heard.join("").length).toBeGreaterThan(100_000);
    for (const text of heard)
      for (const secret of FORMS) expect(text.includes(secret), text.slice(0, 200)).toBe(false);
  });

  test("is in no message when the process cannot start", async () => {
    for (const env of [
      { LIMPID_PORT: "nonsense" },
      { LIMPID_DATABASE_URL: "nonsense://x", LIMPID_DATABASE_TOKEN: SECRETS.LIMPID_SECRET },
    ]) {
      const said = await setup.start({ ...VICTIM, ...env }).then(
        () => "",
        (error: unknown) => String(error),
      );
      expect(said).not.toBe("");
      for (const secret of Object.values(SECRETS)) expect(said).not.toContain(secret);
    }
  });
});
