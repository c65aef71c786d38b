import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { ipApi } from "../../../src/sources/live/ip_api.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("ipApi", () => {
  test("requests the detections, which are not in the default fields", async () => {
    const urls: string[] = [];
    const upstream = {
      http: async ({ url }: { readonly url: string }) => {
        urls.push(url);
        throw new UpstreamError("timeout", "enough");
      },
    };
    // Only the HTTP port is used, so the other ports are missing.
    const ports = { upstream } as unknown as Parameters<typeof ipApi.ask>[1];
    await Promise.resolve(ipApi.ask(ADDRESS, ports, new AbortController().signal, "k")).catch(
      () => undefined,
    );
    const fields = new URL(urls[0] ?? "").searchParams.get("fields")?.split(",");
    for (const field of ["status", "query", "mobile", "proxy", "hosting"]) expect(fields).toContain(field);
    expect(fields).not.toContain("reverse");
  });
});
