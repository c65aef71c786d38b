/**
 * The shell: routes, admission, error answers, headers and the machine-readable description.
 * The only room that knows Elysia.
 */
export { createApp } from "./create_app.ts";
export { describeInterface } from "./describe_interface.ts";
export type {
  Ballot,
  Ballots,
  Conclusion,
  HttpDeps,
  Readiness,
  ServiceLimits,
  Shelf,
  StaticFile,
} from "./http_deps.ts";
export type { RequestWatch, SeenRequest } from "./request_watch.ts";
