import { FEEDS, TABLE_FEEDS } from "#feeds";
import { SOURCES } from "#sources";

/** A span of a document that `bun run golden` fills: `<!-- counts -->…<!-- end -->`. */
const SPAN = /<!-- counts -->[^<]*<!-- end -->/g;

/** Fills every span of counts in the text of a document. Throws if there is none. */
export function writeCounts(text: string): string {
  if (!text.includes("<!-- counts -->"))
    throw new Error("Cannot fill the counts: the document has no span for them");
  return text.replaceAll(SPAN, () => `<!-- counts -->${describeCounts()}<!-- end -->`);
}

function describeCounts(): string {
  const lists = new Set([...FEEDS, ...TABLE_FEEDS].map(({ id }) => id));
  const remote = SOURCES.filter(({ id, local }) => local !== true && !lists.has(id));
  const live = remote.filter(({ zone }) => zone === undefined);
  const keyless = live.filter(({ secret }) => secret !== "required");
  const zones = remote.length - live.length;
  return `${live.length} live sources, ${keyless.length} of them without a key, ${zones} DNS blocklists, and ${FEEDS.length} published lists`;
}
