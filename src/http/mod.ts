/**
 * The shell: routes, admission, error answers, headers and the machine-readable description.
 * The only room that knows Elysia.
 */
export { createApp } from "./create_app.ts";
export { describeInterface } from "./describe_interface.ts";
export type { Ballot, Ballots, HttpDeps, Readiness, StaticFile } from "./http_deps.ts";
