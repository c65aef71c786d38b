import { createReply, type Reply } from "./reply.ts";

/** Leads whoever asked to another path of this site, for good and with the query as it was sent. Costs nothing. */
export function leadTo(path: string, { url }: Request): Reply {
  const mark = url.indexOf("?");
  const location = path + (mark < 0 ? "" : url.slice(mark));
  return createReply({ status: 308, keeping: "no-store", shared: false, headers: { location } });
}
