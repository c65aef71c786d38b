import * as v from "valibot";
import type { Site, StaticFile } from "../context.ts";
import { fileName } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { Reply } from "../reply.ts";
import { file, operation, problems } from "../responses.ts";

/** A plain file name: no folder, no hidden file, nothing encoded. */
const FILE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const ICON = "icon.svg";

/** `/static/{file}`: the files of the web pages. */
export function staticRoute(path: string, { staticFiles }: Site) {
  const replies = new Map<string, Reply<"file">>();

  /** Called only for existing files, so their number bounds the map. */
  function replyOf(name: string, found: StaticFile): Reply<"file"> {
    const reply = replies.get(name) ?? fileReply(found);
    replies.set(name, reply);
    return reply;
  }

  return createRoutes().get(
    path,
    ({ params, requestContext }) => {
      // A name with escapes is not the name of a file.
      const isPlain = FILE_NAME.test(params.file) && requestContext.path.endsWith(`/${params.file}`);
      const found = isPlain ? staticFiles(params.file) : undefined;
      return found === undefined ? refuse("not_found") : replyOf(params.file, found);
    },
    {
      params: v.object({ file: fileName("File name.", ["report.css"]) }),
      response: { 200: file("The file.", "*/*"), ...problems("nothing", "json", [404]) },
      detail: operation("getStaticFile"),
    },
  );
}

/** `/favicon.ico` */
export function iconRoute(path: string, { staticFiles }: Site) {
  return createRoutes().get(
    path,
    () => {
      const icon = staticFiles(ICON);
      return icon === undefined ? refuse("not_found") : fileReply(icon);
    },
    {
      response: { 200: file("The icon.", "image/svg+xml"), ...problems("nothing", "json", [404]) },
      detail: operation("getIcon"),
    },
  );
}

function fileReply({ body, contentType }: StaticFile): Reply<"file"> {
  return new Reply({ cacheControl: "public, max-age=300", shared: false }, { contentType, content: body });
}
