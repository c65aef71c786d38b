import { expect, test } from "bun:test";
import type { SeenRequest } from "#http";
import type { RequestContext } from "../../../src/http/plugins/request_context.ts";
import { countRequest } from "../../../src/http/plugins/send.ts";
import { HttpProblem } from "../../../src/http/problem.ts";

const requestContext: RequestContext = {
  id: "request-1",
  request: new Request("http://localhost/api/lookup?ip=198.51.100.7", { method: "HEAD" }),
  path: "/api/lookup",
  query: new URLSearchParams("ip=198.51.100.7"),
  language: "en",
  client: { key: "203.0.113.9", exempt: false },
  startedAt: 10,
  limits: [],
};

test("countRequest() reports the route, never the path, with the reason of a problem", () => {
  const seen: SeenRequest[] = [];
  const watch = {
    clock: () => 12,
    route: () => {},
    replies: () => {},
    request: (one: SeenRequest) => seen.push(one),
  };
  const facts = { route: "/api/lookup", format: "json" } as const;
  countRequest({ watch }, requestContext, facts, 200);
  const problem = new HttpProblem("rate_limited", { data: { reason: "lookups_per_minute" } });
  countRequest({ watch }, requestContext, facts, 429, problem);
  countRequest({}, requestContext, facts, 200);
  const known = {
    id: "request-1",
    route: "/api/lookup",
    method: "HEAD",
    format: "json",
    ms: 2,
    clientKey: "203.0.113.9",
  } as const;
  expect(seen).toEqual([
    { ...known, status: 200 },
    { ...known, status: 429, code: "rate_limited", reason: "lookups_per_minute" },
  ]);
});
