import { type AnyElysia, Elysia } from "elysia";
import { ProblemSchema, ReportSchema } from "#report";
import type { HttpContext } from "./context.ts";
import { createOwnFinder } from "./own_report.ts";
import { pipelinePlugin } from "./plugins/pipeline.ts";
import { ReportPartSchema } from "./report_formats.ts";
import { createReportReplies } from "./report_replies.ts";
import { createRouteTable } from "./route_table.ts";
import { authRoute } from "./routes/auth.ts";
import { badgeRoute } from "./routes/badge.ts";
import { cardRoute, createCardReplies } from "./routes/card.ts";
import { classifyRoute } from "./routes/classify.ts";
import { comparePageRoute, compareRoute } from "./routes/compare.ts";
import { feedbackRoute } from "./routes/feedback.ts";
import { gateRoute } from "./routes/gate.ts";
import { healthRoute, readinessRoute } from "./routes/health.ts";
import { historyRoute } from "./routes/history.ts";
import { homeRoute } from "./routes/home.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { myIpRoute } from "./routes/my_ip.ts";
import { asRoute, neighboursRoute, prefixRoute } from "./routes/network.ts";
import { docsRoute, openapiRoute } from "./routes/openapi.ts";
import { progressRoute } from "./routes/progress.ts";
import { lookupRoute, ownReportRoute, reportRoute } from "./routes/report.ts";
import { exampleReportRoute, llmsRoute, methodRoute, robotsRoute, sitemapRoute } from "./routes/site.ts";
import { iconRoute, staticRoute } from "./routes/static.ts";
import { ownTerminalRoute, terminalRoute } from "./routes/terminal.ts";
import { challengeRoute, verifyRoute } from "./routes/verify.ts";
import { watchFeedRoute } from "./routes/watch_feed.ts";

/**
 * Builds the whole HTTP interface. It does not listen: call `listen` with `reusePort: false`, or `handle`.
 * Each request passes the pipeline, which calls the handler of its route.
 */
export function createApp(context: HttpContext): AnyElysia {
  const app: AnyElysia = new Elysia({
    name: "limpid",
    strictPath: true,
    // One router for `handle` and for a port, so that tests see what a port serves.
    systemRouter: false,
    nativeStaticResponse: false,
    // Without this, Elysia looks for the path after character 11 of the URL and does not find it if Host is short.
    handler: { standardHostname: false },
  });
  const table = createRouteTable(app);
  const replies = createReportReplies(context);
  const cards = createCardReplies(context);
  const findOwn = createOwnFinder(context);

  // The pipeline comes first: a hook covers only the routes that are added after it.
  app
    .use(pipelinePlugin(context, app, table))
    .model({ Report: ReportSchema, ReportPart: ReportPartSchema, Error: ProblemSchema })
    .use(lookupRoute("/api/lookup", context, replies))
    .use(inBothLanguages("/ip/:name", (path) => reportRoute(path, context, replies, cards)))
    .use(inBothLanguages("/ip", (path) => ownReportRoute(path, context, replies)))
    .use(inBothLanguages("/cli/:ip", (path) => terminalRoute(path, context, replies)))
    .use(inBothLanguages("/cli", (path) => ownTerminalRoute(path, context, replies)))
    .use(inBothLanguages("/gate/:ip", (path) => gateRoute(path, context)))
    .use(authRoute("/auth", context, app))
    .use(classifyRoute("/api/classify", context))
    .use(inBothLanguages("/badge/:name", (path) => badgeRoute(path, context, replies)))
    .use(inBothLanguages("/card/:file", (path) => cardRoute(path, cards)))
    .use(inBothLanguages("/net/:first/:length", (path) => prefixRoute(path, context, cards)))
    .use(inBothLanguages("/net/:first", (path) => neighboursRoute(path, context, cards)))
    .use(inBothLanguages("/as/:number", (path) => asRoute(path, context)))
    .use(compareRoute("/api/compare", context))
    .use(inBothLanguages("/compare", (path) => comparePageRoute(path, context)))
    .use(historyRoute("/api/history", context))
    .use(progressRoute("/api/progress", context))
    .use(challengeRoute("/api/challenge", context))
    .use(verifyRoute("/api/verify", context))
    .use(feedbackRoute("/api/feedback", context))
    .use(mcpRoute("/mcp", context))
    .use(myIpRoute("/api/myip", context, findOwn))
    .use(inBothLanguages("/", (path) => homeRoute(path, context, findOwn)))
    .use(inBothLanguages("/method", (path) => methodRoute(path, context)))
    .use(inBothLanguages("/example", (path) => exampleReportRoute(path, context)))
    .use(healthRoute("/healthz", context))
    .use(readinessRoute("/readyz", context))
    .use(metricsRoute("/metrics", context, app))
    .use(watchFeedRoute("/watch.atom", context))
    .use(openapiRoute("/openapi.json", context, app))
    .use(inBothLanguages("/docs", (path) => docsRoute(path, context, app)))
    .use(inBothLanguages("/llms.txt", (path) => llmsRoute(path, context)))
    .use(robotsRoute("/robots.txt", context))
    .use(sitemapRoute("/sitemap.xml", context))
    .use(staticRoute("/static/:file", context))
    .use(iconRoute("/favicon.ico", context));

  for (const path of new Set(app.routes.map((route) => route.path))) context.watch?.route(path);
  return app;
}

/** Declares a route for both languages: `/x`, in the language of `lang`, and `/en/x` in English. */
function inBothLanguages(path: string, declare: (path: string) => AnyElysia): AnyElysia {
  return new Elysia().use(declare(path)).use(declare(path === "/" ? "/en" : `/en${path}`));
}
