import { type AnyElysia, Elysia } from "elysia";
import { answerUnknown } from "./answer_unknown.ts";
import { createReportReplies } from "./create_report_replies.ts";
import type { HttpDeps } from "./http_deps.ts";
import { createKnownLines } from "./known_lines.ts";
import { badgeRoutes } from "./routes/badge.ts";
import { compareRoutes } from "./routes/compare.ts";
import { docsRoutes } from "./routes/docs.ts";
import { feedbackRoutes } from "./routes/feedback.ts";
import { gateRoutes } from "./routes/gate.ts";
import { healthRoutes } from "./routes/health.ts";
import { historyRoutes } from "./routes/history.ts";
import { homeRoutes } from "./routes/home.ts";
import { lookupRoutes } from "./routes/lookup.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { methodRoutes } from "./routes/method.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { myIpRoutes } from "./routes/my_ip.ts";
import { openapiRoutes } from "./routes/openapi.ts";
import { progressRoutes } from "./routes/progress.ts";
import { reportRoutes } from "./routes/report.ts";
import { siteRoutes } from "./routes/site.ts";
import { staticRoutes } from "./routes/static.ts";
import { terminalRoutes } from "./routes/terminal.ts";
import { verifyRoutes } from "./routes/verify.ts";
import { serve, serveKnown } from "./serve.ts";

/**
 * Builds the whole HTTP interface. Nothing listens yet: call `listen` with `reusePort: false`, or `handle`.
 * One router for both (`systemRouter: false`), so that what `handle` shows is what a port serves.
 */
export function createApp(deps: HttpDeps): AnyElysia {
  const replies = createReportReplies(deps);
  const desk = { replies, lines: createKnownLines() };
  const app: AnyElysia = new Elysia({
    name: "limpid",
    strictPath: true,
    systemRouter: false,
    nativeStaticResponse: false,
    // Otherwise the path is looked for behind the eleventh character, and a short Host header hides it.
    handler: { standardHostname: false },
  })
    // Before any route: a hook covers only what is added after it.
    .onError(({ code, error, request, server }) => {
      if (code === "NOT_FOUND") return serve(deps, request, server, answerUnknown, "unknown");
      const fail = () => {
        throw error;
      };
      return serve(deps, request, server, fail);
    })
    .wrap((route) => (request: Request) => {
      const line = request.method === "GET" ? desk.lines.find(request.url) : undefined;
      return line === undefined ? route(request) : serveKnown(deps, desk, request, app.server, line);
    })
    .use(lookupRoutes(deps, desk))
    .use(reportRoutes(deps, desk))
    .use(terminalRoutes(deps, desk))
    .use(badgeRoutes(deps, replies))
    .use(gateRoutes(deps))
    .use(compareRoutes(deps))
    .use(historyRoutes(deps))
    .use(progressRoutes(deps))
    .use(verifyRoutes(deps))
    .use(feedbackRoutes(deps))
    .use(mcpRoutes(deps))
    .use(myIpRoutes(deps))
    .use(methodRoutes(deps))
    .use(healthRoutes(deps))
    .use(metricsRoutes(deps))
    .use(openapiRoutes(deps))
    .use(docsRoutes(deps))
    .use(siteRoutes(deps))
    .use(staticRoutes(deps))
    .use(homeRoutes(deps));
  return app;
}
