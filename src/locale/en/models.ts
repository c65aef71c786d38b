import type { LlmsFacts, ToolTexts } from "../model_texts.ts";

/** English texts of the MCP tools. */
export const toolEn: ToolTexts = {
  unanswered: (sources) =>
    `These sources did not answer. Their result is unknown, which does not mean clean: ${sources}.`,
  skipped: (sources) => `These sources were not asked. Their result is unknown as well: ${sources}.`,
  withReason: (names, why) => `${names} (${why})`,
  semicolon: "; ",
  allAnswered: "No source failed or was skipped.",
  unknowns: (unknowns) => `With any conclusion, state what an IP address alone cannot tell: ${unknowns}.`,
  cite: (url) => `Cite this report: ${url}`,
  moreDetail: "detail=full has every sentence.",
  allowanceLeft: (left) => `Lookups of addresses not yet stored, left today: ${left}.`,
  comparison: (addresses) => `${addresses} addresses side by side`,
  summary: (score, confidence) => `purity: ${score}, confidence ${confidence}`,
  deductions: (factors) => `Deductions: ${factors}`,
  noDeductions: "No deductions",
  listedOn: (lists) => `Listed on: ${lists}`,
  unknownLists: (lists) => `Blocklists that did not answer: ${lists}`,
  notLookedUp: "Nothing was looked up: this says nothing about the address.",
  waitSeconds: (seconds) => `Wait ${seconds} seconds, then retry once.`,
  openPage: (url) => `For a person to open in a browser: ${url}`,
  limits: [
    ({ lookupsPerMinute }) =>
      `Each client may make ${lookupsPerMinute} lookups per minute; each compared address counts as one.`,
    ({ newPerMinute }) => `At most ${newPerMinute} of them per minute may be of addresses not yet stored.`,
    ({ openPerDay, openPerMinute }) =>
      `Without human verification, each client may look up ${openPerDay} addresses per day that are not stored yet, and the whole site ${openPerMinute} per minute. A daily total for the whole site applies as well.`,
    () => "Stored addresses and special-purpose addresses do not use this allowance.",
    ({ addressesPerComparison }) => `A comparison accepts 2 to ${addressesPerComparison} addresses.`,
    ({ contact }) =>
      `Bulk lookups, range scans and scheduled checks are not allowed.${contact === undefined ? "" : ` Who needs them contacts the operator: ${contact}`}`,
    ({ openLeft }) => `Left today for this client: ${openLeft}.`,
  ],
};

/** llms.txt in English; `ADDRESS` stands for an IPv4 or IPv6 address. */
export function llmsEn(facts: LlmsFacts): string {
  const { origin } = facts;
  return `# limpid

> Tells how clean an IP address is, and shows its reasoning: a purity score from 0 to 100 with every deduction, proxy, VPN, Tor, relay and hosting detection, blocklists, abuse history, suitability for six uses, the state of every source, and what an IP address alone cannot tell. No key, no sign-up.

Use it for questions such as: Is this IP clean? Is it a proxy, VPN or data-centre address? Is it suitable for an AI service, social sign-up, streaming, gaming, cross-border e-commerce or sending e-mail? Which of these few addresses is better? Do not use it for DNS settings, deployment, connectivity problems, or what a platform's own risk system thinks.

How to call: \`GET ${origin}/api/lookup?ip=ADDRESS&lang=en\` returns the report as JSON. Replace \`ADDRESS\` by the address. The page of the same report is \`${origin}/en/ip/ADDRESS\`. Append \`.json\`, \`.txt\` (72 columns) or \`.md\` (Markdown) for another format; text and Markdown are the shortest. The links below use the documentation address 192.0.2.1, whose report costs nothing. Without \`/en\` or \`lang=en\` the texts are Chinese.

Parameters of \`/api/lookup\`:

${facts.parameters.map(({ name, description }) => `- \`${name}\`: ${description}`).join("\n")}

How to read the answer:

- **No signals is not "safe".** A report without risk signals means that the sources that answered saw none. Do not call an address safe, trusted or guaranteed because of it.
- **Pass on \`unknowns\`** with any conclusion. An address cannot tell a platform's internal labels, whether it is used by one customer only, which accounts used it before, device and behaviour, and whether the account profile matches.
- **\`sources[].ok\` = false is not clean.** The source failed or was skipped (\`error\` or \`skipped\` says why), so its result is unknown. The same applies to \`blocklists[].unavailable\`. Name them when they matter to the question.
- **Read \`risk.confidence\` together with \`risk.purity\`**: a high score with low confidence means that few sources answered. \`risk.coverage\` is the share of the planned data that was obtained, in all (\`total\`) and by kind, and \`risk.range.low\` is the purity that 95 % of such addresses reach with all data. With low confidence say "Not enough data" before the number, for example "Not enough data, 60/100, coverage 20%, usually not below 41 (95 % of such addresses)".
- **Cite \`reportUrl\`** with any conclusion.
- \`risk.factors\` is the score breakdown: positive \`points\` are deducted, negative \`points\` are added back, 100 minus all \`points\` is the purity, and \`floor\` is a minimum risk that nothing offsets. \`flagAgreement\` is the agreement on a flag as the score counts it: independent sources, an authority alone counting as two; an agreement of 1 counts half. \`geo.claims\`, if present, tells which sources name which country, because they disagree.
- \`scenarioApplicable\` = false: the address is public infrastructure or special-purpose space, so no user has it as an exit; \`scenarioNote\` says why. Do not state its purity.
- \`stale\` = true: the stored report is old. The nature of an address rarely changes, so the report is usually still usable.

Limits: each client may make ${facts.lookupsPerMinute} lookups per minute, of which ${facts.newPerMinute} of addresses not yet stored. Without human verification, each client may look up ${facts.openPerDay} addresses per day that are not stored yet, and the whole site ${facts.openPerMinute} per minute; a daily total for the site applies as well. Lookups of stored addresses do not use this allowance. The header \`x-open-budget-remaining\` tells what is left. \`refresh=1\` asks every source again, requires human verification, and is limited to ${facts.refreshPerMinute} per minute; use it only when \`stale\` is true.

No bulk use: do not check lists of addresses, scan ranges or poll on a schedule through this API; ask the operator of the site instead${facts.contact === undefined ? "" : ` (${facts.contact})`}. To choose among a few addresses, use compare with at most 5 at a time.

When a request is refused:

- 403 with \`code\` = \`verification_required\`: the allowance for addresses not yet stored is used up. Do not retry, and do not try to complete the verification yourself. Give the person the \`reportUrl\` from the response: when they open it in a browser and complete the verification once, the address is stored, and the same call then works without verification.
- 429 (\`rate_limited\`, \`open_rate_limited\`) and 503 (\`overloaded\`): wait for the number of seconds in the \`Retry-After\` header, then retry once.
- 403 with \`code\` = \`forbidden\`: only pages of this site, or clients of the operator, may send the request. Do not retry.
- 400 \`invalid_ip\`: not a full IPv4 or IPv6 address (no port, prefix length, zone or host name).
- Every error is JSON (text that starts with the code in the text formats) with \`error\`, \`code\`, and often \`hint\` and \`reportUrl\`. An error says nothing about the address.

## Reports

- [JSON](${origin}/api/lookup?ip=192.0.2.1&lang=en): the whole report; \`${origin}/en/ip/ADDRESS.json\` is the same
- [Plain text](${origin}/en/ip/192.0.2.1.txt): the whole report in 72 columns
- [Markdown](${origin}/en/ip/192.0.2.1.md): the whole report as Markdown
- [STIX 2.1](${origin}/en/ip/192.0.2.1.stix.json): the conclusion as a bundle for threat intelligence platforms
- [Page](${origin}/en/ip/192.0.2.1): for people, with the JSON in the script element \`service-report\`
- [Compare](${origin}/api/compare?ips=192.0.2.1,198.51.100.1&lang=en): up to 5 addresses side by side; each counts as a lookup
- [History](${origin}/api/history?ip=192.0.2.1): earlier assessments of a stored address
- [Classify](${origin}/en/docs#classify): what the tables alone say; for clients of the operator only
- [Own address](${origin}/api/myip): the address of the caller; through a tool server it is the address of the server, not of the person. \`me\` in place of the address in a path is the same address: \`${origin}/en/ip/me.json\`

## Tools

- [Model Context Protocol](${origin}/en/docs#callTools): \`POST ${origin}/mcp\`, streamable HTTP; \`lookup_ip\`, \`compare_ips\`, \`explain_factor\`, \`service_limits\`, under the same limits
- [Gate](${origin}/gate/192.0.2.1?scenario=ai&min=70&status=200): 200 \`PASS\`, 409 \`FAIL\` or 503 \`UNKNOWN\`, for scripts and proxy clients
- [OpenAPI](${origin}/openapi.json): the API as an OpenAPI 3.1 document

## Optional

- [Method](${origin}/en/method): every rule, weight, cap and floor of the score
- [API documentation](${origin}/en/docs): the same as a page
- [Badge](${origin}/badge/192.0.2.1.svg?lang=en): the score as an SVG image
- [Terminal report](${origin}/cli/192.0.2.1?lang=en): 72 columns with colour; \`color=0\` without
- [中文](${origin}/llms.txt): this summary in Chinese
`;
}
