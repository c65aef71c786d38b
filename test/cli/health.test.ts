import { describe, expect, test } from "bun:test";
import { EXIT, ExitError } from "#app";
import { checkHealth } from "../../src/cli/health.ts";

describe("checkHealth", () => {
  test.each([
    { host: "127.0.0.1", listens: "127.0.0.1" },
    { host: "0.0.0.0", listens: "127.0.0.1" },
  ])("finds what serves on $host", async ({ host, listens }) => {
    const server = Bun.serve({ hostname: listens, port: 0, fetch: () => new Response("") });
    const port = server.port ?? 0;
    try {
      await checkHealth({ host, port }, 2000);
    } finally {
      await server.stop(true);
    }
    const problem = await checkHealth({ host, port }, 2000).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ExitError);
    expect(problem).toMatchObject({ code: EXIT.notReady });
    expect(String(problem)).toContain(`Cannot reach limpid at 127.0.0.1:${port}: `);
  });
});
