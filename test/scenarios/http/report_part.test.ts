import { describe, expect, test } from "bun:test";
import { assess } from "#lookup";
import { ReportSchema } from "#report";
import VALUES from "../../fixtures/http/values.json";
import { type AppOptions, answered, answerOf, openApp, openShared } from "../../http/kit/open_app.ts";
import { tables } from "../../http/kit/scenarios.ts";
import { fillSurvey } from "../../render/full_reports.ts";
import { ARCHETYPES } from "../../scoring/archetypes.ts";

const IP = "198.51.100.7";
const AS_CALLER: AppOptions = { peer: IP };
const ALWAYS = ["ip", "version", "queriedAt", "source"];
const PATHS = [
  `/api/lookup?ip=${IP}&`,
  `/ip/${IP}.json?`,
  `/en/ip/${IP}.json?`,
  "/ip/me.json?",
  "/en/ip/me.json?",
];

async function read(target: string) {
  const response = await openShared(AS_CALLER).ask(target);
  // Every test checks the members.
  return { response, body: (await response.json()) as Record<string, unknown> };
}

describe.each(PATHS)("%s", (path) => {
  test("fields= returns these fields of the whole report, and always four more", async () => {
    const whole = (await read(path)).body;
    const { response, body } = await read(`${path}fields=risk,flags`);
    expect(response.status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([...ALWAYS, "risk", "flags"].toSorted());
    expect(whole).toMatchObject(body);
    expect(response.headers.get("etag")).not.toBe((await read(path)).response.headers.get("etag"));
    expect(response.headers.get("ratelimit")).toBe('"lookup";r=29;t=60');
  });

  test("sources=brief returns the states of the sources, alone and with fields", async () => {
    const states = [
      { name: "Source A", state: "answered" },
      { name: "Source B", state: "failed" },
    ];
    const { body } = await read(`${path}sources=brief`);
    const whole = (await read(path)).body;
    expect(body).toEqual({ ...whole, sources: states });
    const part = (await read(`${path}fields=sources,ip,ip&sources=brief`)).body;
    expect(Object.keys(part).toSorted()).toEqual([...ALWAYS, "sources"].toSorted());
    expect(part.sources).toEqual(states);
  });

  test("a field that this report does not have is missing", async () => {
    const { body } = await read(`${path}fields=scenarioNote`);
    expect(Object.keys(body).toSorted()).toEqual(ALWAYS.toSorted());
  });

  test.each(VALUES.parts)("refuses %s", async (query) => {
    const { response, body } = await read(`${path}${query}`);
    expect(response.status).toBe(400);
    expect(body).toMatchObject({
      code: "invalid_parameter",
      error: expect.stringContaining(query.split("=")[0] ?? ""),
    });
  });
});

// `ask` compares each answer with the description.
test("every field, whole and with brief sources, is what the description declares", async () => {
  let kind = assess(ARCHETYPES.home_listed_once);
  const { ask } = openApp({
    exempt: ["203.0.113.0/24"],
    lookup: async ({ address }) => {
      const assessment = { ...kind, address: address.text, version: address.version };
      return answered(answerOf(address, {}, { assessment }));
    },
  });
  for (const survey of Object.values(ARCHETYPES)) {
    kind = assess(fillSurvey(survey, "failing"));
    for (const query of ["", "&sources=brief", "&lang=en", "&lang=en&sources=brief"])
      expect((await ask(`/api/lookup?ip=${IP}${query}`)).status).toBe(200);
  }
  for (const field of Object.keys(ReportSchema.pipe[0].entries))
    for (const query of ["", "&sources=brief"])
      expect((await ask(`/en/ip/${IP}.json?fields=${field}${query}`)).status).toBe(200);
});

test("a part and the whole report of one address are not mixed up", async () => {
  const testApp = openApp();
  const sizes: number[] = [];
  for (const query of ["", "&fields=risk", "", "&fields=risk", "&sources=brief"])
    sizes.push((await (await testApp.ask(`/api/lookup?ip=${IP}${query}`)).text()).length);
  expect(sizes[0]).toBe(sizes[2] ?? 0);
  expect(sizes[1]).toBe(sizes[3] ?? 0);
  expect(new Set(sizes).size).toBe(3);
});

tables("report_part");
