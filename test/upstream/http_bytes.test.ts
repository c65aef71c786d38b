import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type GatewayServer, type Reply, startGateway } from "#kit";
import { createWorld, type HttpQuestion, UpstreamError, type World } from "#upstream";

const HOST = "lists.example";
const BYTES = new Uint8Array([0, 255, 10, 200, 1]);
let gateway: GatewayServer;
let world: World;

beforeAll(async () => {
  gateway = await startGateway();
  world = createWorld({
    hosts: [HOST],
    gateway: gateway.url,
    userAgent: "t",
    poolSize: 2,
    now: () => 0,
  });
});
afterAll(async () => {
  world.close();
  await gateway.close();
});

async function ask(reply: Reply, question: Partial<HttpQuestion> = {}) {
  gateway.on(HOST, "/file", reply);
  const session = world.open(AbortSignal.timeout(2_000));
  try {
    const url = `https://${HOST}/file`;
    return await session.http({ url, as: "bytes", ...question }, AbortSignal.timeout(2_000));
  } finally {
    session.close();
  }
}

describe("http: bytes", () => {
  test("come as they are, whatever their type, with the content coding undone", async () => {
    for (const headers of [{}, { "content-type": "application/x-gzip" }, { "content-type": "" }]) {
      expect((await ask({ bytes: BYTES, headers })).body).toEqual(BYTES);
    }
    const packed = await ask({ bytes: new Uint8Array(1_000), encoding: "zstd" });
    expect(packed.body).toHaveLength(1_000);
    expect(gateway.calls[0]?.headers.get("accept")).toBe("*/*");
  });

  test.each(["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"])(
    "are no web page (%s) unless one is wanted",
    async (type) => {
      const page = { text: "<html>", headers: { "content-type": type } };
      expect(ask(page)).rejects.toMatchObject({ kind: "shape" });
      expect((await ask(page, { contentTypes: [type] })).status).toBe(200);
    },
  );

  test("keep to the types that were asked for", async () => {
    const error = await ask({ bytes: BYTES }, { contentTypes: ["text/csv"] }).catch((reason) => reason);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error.kind).toBe("shape");
  });

  test("may be unchanged: a 304 that was asked for is an answer without a body", async () => {
    const answer = await ask(
      { status: 304, headers: { etag: '"x"' } },
      {
        statuses: [304],
        headers: { "if-none-match": '"x"' },
      },
    );
    expect(answer.status).toBe(304);
    expect(answer.body).toEqual(new Uint8Array());
    expect(answer.headers.get("etag")).toBe('"x"');
    expect(ask({ status: 304 })).rejects.toMatchObject({ kind: "status" });
  });
});
