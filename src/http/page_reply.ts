import { createBody } from "./body.ts";
import { policyOf } from "./policy.ts";
import { createReply, type Reply, type ReplyParts } from "./reply.ts";

/** A web page; scripts of other sites never read it. */
export function pageReply(page: string, parts: Omit<ReplyParts, "body" | "shared" | "stream">): Reply {
  const body = createBody("text/html; charset=utf-8", page);
  return createReply({ policy: policyOf(page), ...parts, body, shared: false });
}
