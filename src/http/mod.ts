/**
 * The HTTP interface: routes, limits, error answers, headers and the OpenAPI description.
 * The only module that imports Elysia.
 */
export { createApp } from "./app.ts";
export type { History, HttpContext, Readiness, RequestWatch, StaticFile } from "./context.ts";
export { describeApp } from "./openapi/describe.ts";
