import { type AnyElysia, Elysia } from "elysia";
import { createBody } from "../body.ts";
import type { HttpDeps, StaticFile } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { createReply, type Reply } from "../reply.ts";
import { mount } from "../serve.ts";

/** A plain file name: no folder, no hidden file, nothing encoded. */
const FILE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** `/static/{file}`: the page's own files. */
export function staticRoutes(deps: HttpDeps): AnyElysia {
  const replies = new Map<string, { readonly file: StaticFile; readonly reply: Reply }>();

  /** Names that exist are few, so what is kept is bounded by them. */
  function replyOf(name: string, file: StaticFile): Reply {
    const known = replies.get(name);
    if (known?.file.body === file.body) return known.reply;
    const body = createBody(file.contentType, file.body);
    const reply = createReply({ status: 200, body, keeping: "public, max-age=300", shared: false });
    replies.set(name, { file, reply });
    return reply;
  }

  return new Elysia({ name: "routes/static" }).use(
    mount(deps, "/static/:file", ({ path }) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const file = FILE_NAME.test(name) ? deps.staticFiles(name) : undefined;
      if (file === undefined) throw new HttpProblem("not_found");
      return replyOf(name, file);
    }),
  );
}
