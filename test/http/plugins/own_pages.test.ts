import { describe, expect, test } from "bun:test";
import { isJson, parseJson, readBytes } from "../../../src/http/plugins/own_pages.ts";
import VALUES from "../../fixtures/http/values.json";

describe("readBytes()", () => {
  const post = (body: string | ReadableStream<Uint8Array>) =>
    new Request("http://localhost/", { method: "POST", body });

  test("reads a body of at most 16 kB, whatever its Content-Length is", async () => {
    expect((await readBytes(post("x".repeat(16_384))))?.length).toBe(16_384);
    expect(await readBytes(post("x".repeat(16_385)))).toBeUndefined();
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    });
    expect(await readBytes(post(stream))).toBeUndefined();
    const announced = new Request("http://localhost/", {
      method: "POST",
      body: "{}",
      headers: { "content-length": "99999" },
    });
    expect(await readBytes(announced)).toBeUndefined();
  });

  test("reads a missing body as an empty one", async () => {
    expect((await readBytes(new Request("http://localhost/")))?.length).toBe(0);
  });
});

test.each(VALUES.jsonTypes as [string, boolean][])("isJson(%p) is %p", (type, json) => {
  expect(isJson(type)).toBe(json);
});

test("parseJson() reads UTF-8 only", () => {
  expect(parseJson(new TextEncoder().encode('{"a":"ä"}'))).toEqual({ a: "ä" });
  expect(parseJson(new Uint8Array([0x22, 0xe4, 0x22]))).toBeUndefined();
  expect(parseJson(new TextEncoder().encode("{"))).toBeUndefined();
});
