import { type AnyElysia, Elysia } from "elysia";
import { renderLlms } from "#render";
import type { Language } from "#report";
import { createBody } from "../body.ts";
import { createSitemap } from "../create_sitemap.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { createReply, type Reply } from "../reply.ts";
import { mount } from "../serve.ts";
import { writeRobots } from "../write_robots.ts";

const ICON = "icon.svg";

/** `/llms.txt`, `/en/llms.txt`, `/robots.txt`, `/sitemap.xml`, `/favicon.ico`: for who reads sites. Cost nothing. */
export function siteRoutes(deps: HttpDeps): AnyElysia {
  const llms = (language: Language) =>
    once(() =>
      publicReply("text/markdown", renderLlms({ language, origin: deps.baseUrl, limits: deps.limits })),
    );
  const robots = once(() => publicReply("text/plain", writeRobots(deps.baseUrl)));
  const sitemap = createSitemap(deps);
  return new Elysia({ name: "routes/site" })
    .use(mount(deps, "/llms.txt", llms("zh")))
    .use(mount(deps, "/en/llms.txt", llms("en")))
    .use(mount(deps, "/robots.txt", robots))
    .use(mount(deps, "/sitemap.xml", sitemap))
    .use(
      mount(deps, "/favicon.ico", () => {
        const icon = deps.staticFiles(ICON);
        if (icon === undefined) throw new HttpProblem("not_found");
        const body = createBody(icon.contentType, icon.body);
        return createReply({ status: 200, body, keeping: "public, max-age=300", shared: false });
      }),
    );
}

function publicReply(mediaType: string, text: string): Reply {
  const body = createBody(`${mediaType}; charset=utf-8`, text);
  return createReply({ status: 200, body, keeping: "public, max-age=300", shared: true });
}

/** Built on first demand, when the origin is settled, and the same for everyone. */
function once(build: () => Reply): () => Reply {
  let reply: Reply | undefined;
  return () => {
    reply ??= build();
    return reply;
  };
}
