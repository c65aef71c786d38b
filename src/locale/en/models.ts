import type { LlmsFacts, ToolTexts } from "../model_texts.ts";

/** English texts of the MCP tools. */
export const toolEn: ToolTexts = {
  unanswered: (sources) => `Not heard, so their opinion is unknown, which is no clean result: ${sources}.`,
  skipped: (sources) => `Not asked, so their opinion is unknown as well: ${sources}.`,
  withReason: (names, why) => `${names} (${why})`,
  semicolon: "; ",
  allAnswered: "No source failed or was left out.",
  unknowns: (unknowns) => `Pass on with any conclusion what an IP address alone cannot tell: ${unknowns}.`,
  cite: (url) => `Cite this report: ${url}`,
  allowanceLeft: (left) => `Lookups of addresses not yet stored that are left today: ${left}.`,
  comparison: (addresses) => `${addresses} addresses side by side`,
  summary: (purity, band, confidence) => `purity ${purity}/100, ${band}, confidence ${confidence}`,
  deductions: (factors) => `Deductions: ${factors}`,
  noDeductions: "No deductions",
  listedOn: (lists) => `Listed on: ${lists}`,
  unknownLists: (lists) => `Blocklists not heard: ${lists}`,
  notLookedUp: "Nothing was looked up: this says nothing about the address.",
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

/** llms.txt in English; `ADDRESS` stands for an IPv4 or IPv6 address. */
export function llmsEn(facts: LlmsFacts): string {
  const { origin } = facts;
  return `# limpid

> Tells how clean an IP address is, and shows its reasoning: a purity score from 0 to 100 with every deduction, proxy, VPN, Tor, relay and hosting detection, blocklists, abuse history, suitability for six uses, the state of every source, and what an IP address alone cannot tell. No key, no sign-up.

Use it for questions such as: is this IP clean, is it a proxy, VPN or data-centre address, does it suit an AI service, social sign-up, streaming, gaming, cross-border e-commerce or sending e-mail, which of these few addresses is better. Do not use it for DNS settings, deployment, connectivity problems, or what a platform's own risk system thinks.

How to call: \`GET ${origin}/api/lookup?ip=ADDRESS&lang=en\` gives the report as JSON; put the IPv4 or IPv6 address in place of \`ADDRESS\`. An IPv6 address may stand in square brackets. The same report is at \`${origin}/en/ip/ADDRESS\` as a page, and with \`.json\`, \`.txt\` (72 columns) or \`.md\` (Markdown) at its end; the text and Markdown forms are the shortest to read. Without \`/en\` or \`lang=en\` the texts are Chinese.

How to read the answer:

- **No signals is not "safe".** A report that finds no risk signals says that the sources which answered saw none. Do not call an address safe, trusted or guaranteed because of it.
- **Pass on \`unknowns\`** with any conclusion: a platform's internal labels, whether the address is exclusive, accounts tied to it before, device and behaviour, and whether the account profile matches cannot be told from an address.
- **\`sources[].ok\` = false is not clean.** That source failed or was skipped (\`error\` or \`skipped\` says why); its opinion is unknown. The same holds for \`blocklists[].unavailable\`. Name them when they matter to the question.
- **Read \`risk.confidence\` beside \`risk.purity\`**: a high score with low confidence means that little was heard.
- **Cite \`reportUrl\`** with any conclusion.
- \`risk.factors\` is the bill: positive \`points\` deduct, negative ones give back, \`floor\` is a minimum risk that nothing offsets. \`flagAgreement\` tells how many independent sources agree on a flag; one alone counts half.
- \`scenarioApplicable\` = false: the address is public infrastructure or special-purpose space and nobody's exit; \`scenarioNote\` says why.
- \`stale\` = true: the stored report is old. What an address is rarely changes, so it is normally usable as it is.

Limits: ${facts.lookupsPerMinute} lookups a minute for each client, ${facts.newPerMinute} of them of addresses not yet stored. Without human verification, ${facts.openPerDay} lookups of addresses not yet stored a day for each client, and ${facts.openPerMinute} a minute on the whole site; a daily total holds as well. Addresses already stored cost none of this allowance. The header \`x-open-budget-remaining\` tells what is left. \`refresh=1\` asks every source anew, needs human verification, and is limited to ${facts.refreshPerMinute} a minute; use it only when \`stale\` is true.

No bulk: do not check lists of addresses, scan ranges or poll on a schedule through this interface; ask the operator of the site instead. For a few candidates use compare, at most 5 at a time.

When it refuses:

- 403 with \`code\` = \`verification_required\`: the allowance for addresses not yet stored is used up. Do not retry and do not try to pass the check yourself. Give the person the \`reportUrl\` from the answer: opening it once in a browser completes a check and stores the address, and the same call then works without verification.
- 429 (\`rate_limited\`, \`open_rate_limited\`) and 503 (\`overloaded\`): wait as many seconds as the \`Retry-After\` header says, then try once more.
- 400 \`invalid_ip\`: not a full IPv4 or IPv6 address (no port, prefix length, zone or host name).
- Every error is JSON (one line of text on the text forms) with \`error\`, \`code\`, and often \`hint\` and \`reportUrl\`; none of them says anything about the address.

## Reports

- [JSON](${origin}/api/lookup?ip=ADDRESS&lang=en): the whole report; \`${origin}/en/ip/ADDRESS.json\` is the same
- [Plain text](${origin}/en/ip/ADDRESS.txt): the whole report in 72 columns
- [Markdown](${origin}/en/ip/ADDRESS.md): the whole report as Markdown
- [Page](${origin}/en/ip/ADDRESS): for people, with the JSON in the script element \`service-report\`
- [Compare](${origin}/api/compare?ips=ADDRESS,ADDRESS&lang=en): up to 5 addresses side by side; each counts as a lookup
- [History](${origin}/api/history?ip=ADDRESS): earlier assessments of a stored address
- [Own address](${origin}/api/myip): the caller's address; over a tool server this is the server's, not the person's

## Tools

- [Model Context Protocol](${origin}/mcp): streamable HTTP; \`lookup_ip\`, \`compare_ips\`, \`explain_factor\`, \`service_limits\`, under the same limits
- [Gate](${origin}/gate/ADDRESS?scenario=ai&min=70): 200 \`PASS\`, 409 \`FAIL\` or 503 \`UNKNOWN\`, for scripts and proxy clients
- [OpenAPI](${origin}/openapi.json): the interface, OpenAPI 3.1

## Optional

- [Method](${origin}/en/method): every rule, weight, cap and floor of the score
- [Interface in a browser](${origin}/en/docs): the same description to read
- [Badge](${origin}/badge/ADDRESS.svg?lang=en): the score as an SVG image
- [Terminal report](${origin}/cli/ADDRESS?lang=en): 72 columns with colour; \`color=0\` without
- [中文](${origin}/llms.txt): this summary in Chinese
`;
}
