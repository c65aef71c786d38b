import { describe, expect, test } from "bun:test";
import { probeHealth } from "#upstream";

async function answering(reply: string | undefined, ask: (port: number) => Promise<void>): Promise<string> {
  let asked = "";
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, chunk) {
        asked += chunk.toString();
        if (reply === undefined) return;
        socket.write(reply);
        socket.end();
      },
    },
  });
  try {
    await ask(server.port);
  } finally {
    server.stop(true);
  }
  return asked;
}

describe("probeHealth", () => {
  test("returns undefined for 200, and requests only /healthz", async () => {
    const asked = await answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", async (port) => {
      expect(await probeHealth("127.0.0.1", port, 2000)).toBeUndefined();
    });
    expect(asked).toMatch(
      /^GET \/healthz HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: close\r\n\r\n$/,
    );
  });

  test.each([
    { reply: "HTTP/1.1 503 Service Unavailable\r\n\r\n", problem: "it answers 503" },
    { reply: "SSH-2.0-Example\r\n", problem: "it closed the connection without an answer" },
    { reply: "x".repeat(10_000), problem: "its answer is not HTTP" },
    { reply: "HTTP/1.1 2000 OK\r\n", problem: "it closed the connection without an answer" },
  ])("says $problem", async ({ reply, problem }) => {
    await answering(reply, async (port) => {
      expect(await probeHealth("127.0.0.1", port, 2000)).toBe(problem);
    });
  });

  test("stops waiting after the time limit, and reports a refused connection", async () => {
    let closed = 0;
    await answering(undefined, async (port) => {
      closed = port;
      expect(await probeHealth("127.0.0.1", port, 50)).toBe("no answer within 50 ms");
    });
    expect(await probeHealth("127.0.0.1", closed, 2000)).toBeString();
  });
});
