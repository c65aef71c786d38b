import { createBody } from "./body.ts";
import { createReply, type Keeping, type Reply } from "./reply.ts";

/** A small JSON document, readable by scripts of any site. */
export function jsonReply(status: number, keeping: Keeping, value: unknown): Reply {
  const body = createBody("application/json; charset=utf-8", JSON.stringify(value));
  return createReply({ status, body, keeping, shared: true });
}
