import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { readAddress } from "#kit";
import { httpSource } from "../../src/sources/http_source.ts";

const address = readAddress("203.0.113.7");

const parts = {
  id: "example",
  name: "Example",
  kind: "free",
  family: "example",
  matters: ["abuse"],
  weight: 1,
  versions: [4],
  timeoutMs: 1000,
  hosts: ["api.example.com"],
  request: () => ({ url: "https://api.example.com/", as: "json" as const, statuses: [404] }),
  answer: v.object({ detections: v.object({ risk: v.number() }) }),
  read: ({ detections }: { detections: { risk: number } }) => ({ abuse: { score: detections.risk } }),
} as const;

const plain = httpSource(parts);
const knowing = httpSource({
  ...parts,
  readStatus: (status) => (status === 404 ? undefined : { abuse: { score: status } }),
});

describe("httpSource", () => {
  test("reads the fields of the schema from the body", () => {
    const answer = {
      status: 200,
      body: { detections: { risk: 7, other: "x" }, more: 1 },
      url: "",
      headers: {},
    };
    expect(plain.read(answer, address)).toEqual({ abuse: { score: 7 } });
  });

  test("names the field that is wrong", () => {
    const answer = { status: 200, body: { detections: { risk: "7" } } };
    expect(() => plain.read(answer, address)).toThrow("shape: shape at detections.risk");
    expect(() => plain.read({ status: 200, body: [] }, address)).toThrow("shape: shape");
    expect(() => plain.read("body", address)).toThrow("shape: shape");
  });

  test("reads another status as data only if the source declares it", () => {
    expect(knowing.read({ status: 404, body: { detail: "none" } }, address)).toBeUndefined();
    for (const body of [{ detail: "none" }, { detections: { risk: 7 } }, undefined]) {
      expect(() => plain.read({ status: 404, body }, address)).toThrow("status: HTTP 404");
      expect(() => plain.read({ status: 401, body }, address)).toThrow("unavailable: access denied");
    }
  });

  test("reads a 404 as 'nothing known' only with the declared body", () => {
    const source = httpSource({ ...parts, notFound: v.object({ error: v.literal("unknown") }) });
    expect(source.read({ status: 404, body: { error: "unknown" } }, address)).toBeUndefined();
    for (const body of [{}, undefined, [], { error: "no such endpoint" }]) {
      expect(() => source.read({ status: 404, body }, address)).toThrow("status: HTTP 404");
    }
  });

  test("keeps only harmless characters of a field name in an error", () => {
    const source = httpSource({ ...parts, answer: v.record(v.string(), v.number()), read: () => undefined });
    const answer = { status: 200, body: { "<script>\u202e": "x" } };
    expect(() => source.read(answer, address)).toThrow("shape: shape at ?script??");
  });

  test("has the metadata of its parts, but not the parts", () => {
    expect(Object.keys(plain).sort()).toEqual(
      "ask family hosts id kind matters name read timeoutMs versions weight".split(" "),
    );
  });
});
