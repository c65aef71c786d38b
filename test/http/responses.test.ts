import { describe, expect, test } from "bun:test";
import { status } from "elysia";
import * as v from "valibot";
import { createRoutes } from "../../src/http/plugins/request_context.ts";
import { refuse } from "../../src/http/problem.ts";
import { jsonReply, pageReply, redirect, textReply } from "../../src/http/reply.ts";
import { either, empty, json, page, problems, text } from "../../src/http/responses.ts";

const Document = v.object({ ip: v.string() });
const response = { 200: json("A document.", Document), ...problems("nothing", "json", [404]) };

describe("the compiler", () => {
  test("refuses a status or a body that a route does not declare", () => {
    const routes = createRoutes();
    routes.get("/a", () => jsonReply({ ip: "198.51.100.7" }), { response });
    routes.get("/b", () => refuse("not_found"), { response });
    routes.get("/c", () => (Math.random() > 2 ? refuse("internal") : jsonReply({ ip: "x" })), { response });
    // @ts-expect-error the body is another document
    routes.get("/d", () => jsonReply({ address: "198.51.100.7" }), { response });
    // @ts-expect-error the body is a text
    routes.get("/e", () => textReply("198.51.100.7"), { response });
    // @ts-expect-error 403 is not declared
    routes.get("/f", () => refuse("verification_required"), { response });
    // @ts-expect-error 409 is not declared
    routes.get("/g", () => status(409, jsonReply({ ip: "x" })), { response });
    // @ts-expect-error 308 is not declared
    routes.get("/h", ({ requestContext }) => redirect("/x", requestContext.request), { response });
    // @ts-expect-error a page is not declared for a problem of a JSON route
    routes.get("/i", () => status(404, pageReply("", { cacheControl: "no-store" })), { response });
    // @ts-expect-error the query has no such parameter
    routes.get("/j", ({ query }) => jsonReply({ ip: query.other }), { query: Document, response });
    expect(routes.routes).toHaveLength(10);
  });
});

describe("a declared response", () => {
  test("accepts only a reply of its media type", () => {
    expect(v.is(json("", Document), jsonReply({ ip: "x" }))).toBe(true);
    expect(v.is(json("", Document), textReply("x"))).toBe(false);
    expect(v.is(page(""), textReply("x"))).toBe(false);
    expect(v.is(text("", { mediaType: "text/markdown" }), textReply("x", {}, "text/markdown"))).toBe(true);
    expect(v.is(either(json("", Document), text("")), textReply("x"))).toBe(true);
    expect(v.is(either(json("", Document), text("")), textReply("x", {}, "text/html"))).toBe(false);
    expect(v.is(empty(""), { status: 204 })).toBe(false);
  });

  test("declares the statuses that follow from its cost", () => {
    expect(Object.keys(problems("nothing", "json"))).toEqual(["414", "500"]);
    expect(Object.keys(problems("lookup", "json", [404]))).toEqual(["400", "404", "414", "429", "500"]);
    expect(Object.keys(problems("survey", "text"))).toEqual([
      "400",
      "403",
      "404",
      "414",
      "429",
      "500",
      "503",
    ]);
  });
});

test("an undeclared reply at run time is an internal error without details", async () => {
  const { openApp } = await import("./kit/open_app.ts");
  const testApp = openApp({ findKnown: async () => undefined });
  testApp.app.get("/wrong", () => jsonReply({ ip: 1 }) as never, {
    response: { 200: text("A text."), ...problems("nothing", "json") },
  });
  const answer = (await testApp.app.handle(new Request("http://localhost/wrong"))) as Response;
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ code: "internal" });
  expect(testApp.logs).toMatchObject([{ event: "request_failed" }]);
});
