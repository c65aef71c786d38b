import { describe, expect, test } from "bun:test";
import { openFor, openUpstreamClient, type Reply, startGateway } from "#kit";
import { type HttpRequest, UpstreamError } from "#upstream";

const HOST = "lists.example";
const BYTES = new Uint8Array([0, 255, 10, 200, 1]);
const gateway = openFor("all", startGateway);
const client = openFor("all", () =>
  openUpstreamClient({ hosts: [HOST], gateway: gateway.url, poolSize: 2, now: () => 0 }),
);

async function ask(reply: Reply, question: Partial<HttpRequest> = {}) {
  gateway.on(HOST, "/file", reply);
  const session = client.openSession(AbortSignal.timeout(2_000));
  try {
    const url = `https://${HOST}/file`;
    return await session.http({ url, as: "bytes", ...question }, AbortSignal.timeout(2_000));
  } finally {
    session.close();
  }
}

describe("http: bytes", () => {
  test("come unchanged, with any content type, without the content coding", async () => {
    for (const headers of [{}, { "content-type": "application/x-gzip" }, { "content-type": "" }]) {
      expect((await ask({ bytes: BYTES, headers })).body).toEqual(BYTES);
    }
    const packed = await ask({ bytes: new Uint8Array(1_000), encoding: "br" });
    expect(packed.body).toHaveLength(1_000);
    expect(gateway.calls[0]?.headers.get("accept")).toBe("*/*");
  });

  test.each(["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"])(
    "are refused as a web page (%s), unless the request accepts it",
    async (type) => {
      const page = { text: "<html>", headers: { "content-type": type } };
      await expect(ask(page)).rejects.toMatchObject({ kind: "shape" });
      expect((await ask(page, { contentTypes: [type] })).status).toBe(200);
    },
  );

  test("are refused with a content type that the request does not accept", async () => {
    const error = await ask({ bytes: BYTES }, { contentTypes: ["text/csv"] }).catch((reason) => reason);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error.kind).toBe("shape");
  });

  test("may be unchanged: a 304 to a conditional request is an answer without a body", async () => {
    const answer = await ask(
      { status: 304, headers: { etag: '"x"' } },
      { statuses: [304], headers: { "if-none-match": '"x"' } },
    );
    expect(answer.status).toBe(304);
    expect(answer.body).toEqual(new Uint8Array());
    expect(answer.headers.get("etag")).toBe('"x"');
    await expect(ask({ status: 304 })).rejects.toMatchObject({ kind: "status" });
  });
});

describe("http: the length of a body", () => {
  const ascii = (text: string) => new TextEncoder().encode(text);
  const headOf = (...lines: readonly string[]) => ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
  const tenKilobytes = `2710\r\n${"x".repeat(10_000)}\r\n0\r\n\r\n`;

  test("is the Content-Length; later bytes are ignored", async () => {
    const raw = ascii(`${headOf("content-length: 5", "connection: close")}hello and more`);
    const { body } = await ask({ raw }, { maxBytes: 5 });
    expect(Buffer.from(body as Uint8Array).toString()).toBe("hello");
  });

  test("is ignored with chunked framing, in any order and case of the headers", async () => {
    for (const lines of [
      ["content-length: 5", "transfer-encoding: chunked"],
      ["Transfer-Encoding: Chunked", "Content-Length: 5"],
      ["transfer-encoding: gzip, chunked", "content-length: 5"],
    ]) {
      const raw = ascii(headOf(...lines) + tenKilobytes);
      const outcome = await ask({ raw }, { maxBytes: 100 }).then(
        ({ body }) => (body as Uint8Array).length <= 100,
        (error: unknown) => error instanceof UpstreamError && ["too_large", "shape"].includes(error.kind),
      );
      expect([lines, outcome]).toEqual([lines, true]);
    }
  });

  test("does not bound endless chunks, which end at the limit", async () => {
    const before = gateway.sentBytes;
    const endless: Reply = {
      bytes: new Uint8Array(10_000),
      fault: "endless",
      chunked: true,
      headers: { "content-length": "5" },
    };
    const error = await ask(endless, { maxBytes: 100 }).catch((reason) => reason);
    expect(error).toMatchObject({ kind: "too_large" });
    expect(gateway.sentBytes - before).toBeLessThan(32 * 1_048_576);
  });

  test("is ignored when it is repeated, signed or not a number", async () => {
    for (const lines of [
      ["content-length: 5", "content-length: 9000"],
      ["content-length: 5, 5"],
      ["content-length: +5"],
      ["content-length: -1"],
      ["content-length: 0x5"],
      ["content-length: 1e9"],
      ["content-length: "],
    ]) {
      const raw = ascii(headOf(...lines, "connection: close") + "x".repeat(10_000));
      const outcome = await ask({ raw }, { maxBytes: 100 }).then(
        ({ body }) => (body as Uint8Array).length <= 100,
        (error: unknown) => error instanceof UpstreamError,
      );
      expect([lines, outcome]).toEqual([lines, true]);
    }
  });

  test("larger than the body is a truncated answer; a late body is a timeout", async () => {
    const cut = await ask({ bytes: BYTES, fault: "truncate" }).catch((reason) => reason);
    expect(cut).toMatchObject({ kind: "shape", detail: "answer cut short" });
    gateway.on(HOST, "/stall", { bytes: new Uint8Array(1_000), fault: "stall" });
    const session = client.openSession(AbortSignal.timeout(2_000));
    const late = session.http({ url: `https://${HOST}/stall`, as: "bytes" }, AbortSignal.timeout(50));
    expect(await late.catch((reason) => reason)).toMatchObject({
      kind: "timeout",
      detail: "no answer in time",
    });
    session.close();
  });
});
