/**
 * The HTTP interface: routes, limits, error answers, headers and the OpenAPI description.
 * The only module that imports Elysia.
 */
export { createApp } from "./app.ts";
export type {
  Conclusion,
  History,
  HttpContext,
  Readiness,
  RequestWatch,
  SeenRequest,
  ServiceLimits,
  StaticFile,
  Vote,
  Votes,
} from "./context.ts";
export { describeApp } from "./openapi/describe.ts";
