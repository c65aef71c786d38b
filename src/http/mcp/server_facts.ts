import type { HttpDeps } from "../http_deps.ts";

/** What this server can do: tools, which never change while it runs. */
export const CAPABILITIES = { tools: {} } as const;

/** Told to every model that is connected. */
export const INSTRUCTIONS = [
  "limpid tells how clean an IP address is and shows its reasoning. Use it for one address or a few candidates, never",
  "for lists, ranges or schedules. No risk signals does not mean safe: never call an address safe because of a report.",
  "With any conclusion pass on `unknowns` and the sources that were not heard, give the confidence beside the purity,",
  "and cite `reportUrl`. A refusal says nothing about the address: with verification_required give the person the",
  "reportUrl to open in a browser, else wait as long as retryAfterSeconds says.",
].join(" ");

/** How this server names itself. */
export function serverInfoOf(deps: Pick<HttpDeps, "baseUrl" | "version">) {
  return { name: "limpid", title: "limpid", version: deps.version, websiteUrl: deps.baseUrl };
}
