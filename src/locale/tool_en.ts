import type { ToolTexts } from "./tool_texts.ts";

/** English of what the tools for models answer. */
export const toolEn: ToolTexts = {
  notHeard: (sources) => `Not heard, so their opinion is unknown, which is no clean result: ${sources}.`,
  notAsked: (sources) => `Not asked, so their opinion is unknown as well: ${sources}.`,
  reasoned: (names, why) => `${names} (${why})`,
  semicolon: "; ",
  allHeard: "No source failed or was left out.",
  passOn: (unknowns) => `Pass on with any conclusion what an IP address alone cannot tell: ${unknowns}.`,
  cite: (url) => `Cite this report: ${url}`,
  openLeft: (left) => `Lookups of addresses not yet stored that are left today: ${left}.`,
  comparison: (addresses) => `${addresses} addresses side by side`,
  summary: (purity, band, confidence) => `purity ${purity}/100, ${band}, confidence ${confidence}`,
  deductions: (factors) => `Deductions: ${factors}`,
  noDeductions: "No deductions",
  listedOn: (lists) => `Listed on: ${lists}`,
  listsNotHeard: (lists) => `Blocklists not heard: ${lists}`,
  noFinding: "Nothing was looked up: this says nothing about the address.",
  waitSeconds: (seconds) => `Wait ${seconds} seconds, then try once more.`,
  openPage: (url) => `For a person to open in a browser: ${url}`,
  limits: [
    ({ lookupsPerMinute }) =>
      `${lookupsPerMinute} lookups a minute for each client; each compared address is one.`,
    ({ newPerMinute }) => `${newPerMinute} of them a minute may be of addresses not yet stored.`,
    ({ openPerDay, openPerMinute }) =>
      `Without human verification: ${openPerDay} addresses not yet stored a day for each client, ${openPerMinute} a minute on the whole site, and a daily total for the whole site.`,
    () => "Addresses already stored, and special-purpose addresses, cost none of that allowance.",
    ({ addressesPerComparison }) => `A comparison takes 2 to ${addressesPerComparison} addresses.`,
    () => "No bulk, no range scans, no checks on a schedule.",
    ({ openLeft }) => `Left today for this client: ${openLeft}.`,
  ],
};
