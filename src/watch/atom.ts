import * as v from "valibot";
import type { WatchEvent } from "#store";

const BodySchema = v.object({
  type: v.string(),
  timestamp: v.string(),
  data: v.object({
    address: v.string(),
    label: v.exactOptional(v.string()),
    what: v.string(),
    from: v.string(),
    to: v.string(),
    purity: v.number(),
    reportUrl: v.string(),
  }),
});
export type WatchBody = v.InferOutput<typeof BodySchema>;

/** Reads the body of a stored event. Undefined when another version wrote it. */
export function parseWatchBody({ body }: WatchEvent): WatchBody | undefined {
  try {
    const result = v.safeParse(BodySchema, JSON.parse(body));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Writes events as a feed (Atom, RFC 4287), the newest first. `url` is the address of the feed. */
export function renderAtom(events: readonly WatchEvent[], url: string, now: number): string {
  const entries = events.flatMap((event) => {
    const body = parseWatchBody(event);
    if (body === undefined) return [];
    const { data, type, timestamp } = body;
    const who = data.label === undefined ? data.address : `${data.label} (${data.address})`;
    const title = `${who}: ${data.what}: ${data.from} → ${data.to}`;
    return [
      "  <entry>",
      `    <id>urn:limpid:${escapeXml(event.id)}</id>`,
      `    <title>${escapeXml(title)}</title>`,
      `    <updated>${escapeXml(timestamp)}</updated>`,
      `    <link href="${escapeXml(data.reportUrl)}"/>`,
      `    <category term="${escapeXml(type)}"/>`,
      `    <summary>${escapeXml(`${title}; purity ${data.purity}`)}</summary>`,
      "  </entry>",
    ];
  });
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${escapeXml(url)}</id>`,
    "  <title>limpid: watched addresses</title>",
    `  <link rel="self" href="${escapeXml(url)}"/>`,
    "  <author><name>limpid</name></author>",
    `  <updated>${new Date(events[0]?.at ?? now).toISOString()}</updated>`,
    ...entries,
    "</feed>",
  ].join("\n")}\n`;
}

/** Escapes text for XML 1.0, and removes characters that it cannot have. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
