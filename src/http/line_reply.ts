import { createBody } from "./body.ts";
import { createReply, type Reply } from "./reply.ts";

/** One line of plain text, readable by scripts of any site. */
export function lineReply(line: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = createBody("text/plain; charset=utf-8", `${line}\n`);
  return createReply({ status: 200, body, keeping: "private, no-cache", shared: true, headers });
}
