import type { CheckTexts, DocsTexts, PageTexts } from "../page_texts.ts";

/** English texts of the pages, beside those of the report. */
export const pageEn: PageTexts = {
  pages: "This page",
  more: "This site",
  home: "Home",
  compare: "Compare",
  docs: "API documentation",
  forModels: "For models",

  asMarkdown: "Markdown",
  otherFormats: "Other formats",
  refresh: "Check again",
  delisting: "Details and removal",
  detail: "Detail",
  citation: ({ ip, score, confidence, moment }) =>
    `IP purity of ${ip}: ${score}, confidence ${confidence.toLowerCase()}, surveyed ${moment}.`,

  history: "History",
  historyFacts: ({ count, from, to, lowest, highest }) =>
    lowest === highest
      ? `${count} records from ${from} to ${to}; purity has always been ${lowest}.`
      : `${count} records from ${from} to ${to}; purity between ${lowest} and ${highest}.`,
  historyTable: "Every record",
  date: "Date",
  band: "Band",
  scoringVersion: "Scoring version",
  scoringChanged: (from, to, date) =>
    `Dashed line: on ${date} the scoring changed from version ${from} to ${to}; scores before and after cannot be compared directly.`,

  slogan: "How clean is an IP address?",
  homeDescription:
    "The purity of any IPv4 or IPv6 address: residential or hosting, native or broadcast, proxy, VPN and Tor detection, blocklists, abuse history and six use cases, with the basis of every point.",
  homeLead:
    "Enter an address to see its purity, the basis of every deduction, and what could not be checked.",
  field: "IP address",
  fieldHint: "IPv4 or IPv6. Pasted text works too: brackets, ports, blanks or a whole URL.",
  lookUp: "Look up",
  yourAddress: "Your address",
  yourReport: "See the report",
  aboutTitle: "What a report holds",
  about: [
    [
      "Purity and confidence",
      "Purity is 0 to 100, higher is cleaner. Confidence depends on coverage, the share of the planned data that was obtained. Read both.",
    ],
    ["Every deduction", "From 100 points: what each item costs and who reports it. The sum is the result."],
    [
      "Six use cases",
      "AI services, social sign-up, streaming, gaming, cross-border e-commerce and e-mail, each with a score and its reasons.",
    ],
    [
      "What is not known",
      "Sources that did not answer, lists that were not checked, and what an IP alone cannot tell. No risk seen does not mean no risk.",
    ],
  ],
  compareTitle: "Compare addresses",
  compareDescription:
    "Up to twenty candidate IP addresses side by side: purity, confidence, country, network, IP type, flags, six use cases, blocklists and the main deductions, with the best of each marked.",
  compareField: "Candidate addresses",
  compareHint:
    "Up to twenty, of which five may have no report yet; separated by commas, blanks or line breaks.",
  compareSubmit: "Compare",
  terminalTitle: "In a terminal",
  terminalLead: "No key and no sign-up needed.",
  terminalOwn: "Your public address",
  terminalReport: "A report in colour",
  terminalJson: "All data (JSON)",
  terminalText: "Plain text, 72 columns",
  linksTitle: "More",
  methodLink: "How the score is made: every rule and number",
  docsLink: "API documentation",
  modelsLink: "For models and agents (llms.txt)",

  candidate: "Address",
  compareEmpty: "Enter two or more addresses to see them side by side here.",
  compareCaption: "One address a row, in the order given",
  notAvailable: "Not available",
  examples: "Ways to write it",
  examplesHint: "One complete address at a time:",
  waitFor: (seconds) => `Please wait ${seconds} ${seconds === 1 ? "second" : "seconds"} before trying again.`,
  waitOver: "You can try again now.",
  tryAgain: "Try again",
  openReport: "Open the report of this address",
  code: "Code",
  goHome: "Back to the home page",
};

/** English texts of the human check, the live progress and the rating form. */
export const checkEn: CheckTexts = {
  title: {
    lookup: (ip) => `One verification, then the report on ${ip}`,
    refresh: (ip) => `One verification, then a new check of ${ip}`,
    feedback: (ip) => `One verification, then your rating of ${ip}`,
  },
  why: {
    lookup:
      "This address is not in the database yet, so every source must be queried. That is free for you, but the sources limit how much we may query. When the allowance without a check is used up, the rest is kept for people.",
    refresh:
      "A new check queries every source again, although a result is already stored. The sources limit how much we may query, so a refresh is for people who have passed a verification.",
    feedback: "Ratings come from people who use the address. One verification keeps programs from voting.",
  },
  stepsTitle: "What happens",
  steps: {
    lookup: [
      "Tick the box. Your browser computes for a second or two. There are no letters to read, no sounds and no pictures.",
      "All sources are queried at once. You see the progress of each; this takes a few seconds.",
      "The report opens. It is then in the database, and nobody needs a verification for this address any more.",
    ],
    refresh: [
      "Tick the box. Your browser computes for a second or two. There are no letters to read, no sounds and no pictures.",
      "All sources are queried again. You see the progress of each; this takes a few seconds.",
      "The new report opens. If the new result has less data than the stored one, the stored one is kept.",
    ],
    feedback: [
      "Tick the box. Your browser computes for a second or two. There are no letters to read, no sounds and no pictures.",
      "You return to the report and rate the address.",
    ],
  },
  ownCheck:
    "The verification is served by this site and runs in your browser; it contacts no third party. After it, a cookie lets this browser look up more new addresses for 30 minutes.",
  thirdPartyCheck:
    "The verification is Cloudflare Turnstile, loaded from challenges.cloudflare.com. After it, a cookie lets this browser look up more new addresses for 30 minutes.",
  needsScript: "The verification needs JavaScript, and your browser does not run it here.",
  needsScriptHint:
    "Allow JavaScript for this site and load the page again, over HTTPS. Addresses that are already in the database can be looked up without it.",
  needsHttps: "The verification does not work on this page, because the page was loaded over plain HTTP.",
  needsHttpsHint:
    "Browsers allow the cryptography that it needs only on pages over HTTPS (and on localhost). Open this page over HTTPS:",
  loading: "Loading the verification …",
  forScripts: "For scripts and agents",
  reasons: {
    failed: "The last verification was not passed. Please try again.",
    expired: "The last verification had expired: it is valid for 10 minutes. Please try again.",
    replayed: "The last verification was already used: each can be used once. Please try again.",
    unavailable: "The verification could not be confirmed just now. Please try again in a minute.",
    cross_site:
      "The verification came from another site and was not accepted. Please use the one on this page.",
  },
  widget: {
    label: "I am a person",
    verifying: "Your browser is computing …",
    verified: "Computed",
    error: "The verification did not work. Please try again.",
    expired: "The verification has expired. Please try again.",
    waitAlert: "Still computing; please wait a moment.",
    verificationRequired: "A verification is needed.",
  },
  progress: {
    verifying: "Checking the solution …",
    heading: "Querying the sources about {ip}",
    queued: "Waiting in the queue …",
    count: "{done} of {total} done",
    countFailed: "{failed} failed",
    countSkipped: "{skipped} skipped",
    countJoin: ", ",
    announceStart: "Querying the sources.",
    announceEnd: "All {total} sources are done. Opening the report.",
    sources: "Sources",
    waiting: "waiting",
    answered: "answered",
    empty: "no record",
    failed: "failed",
    moment: "{state}, {ms} ms",
    cancel: "Stop watching",
    cancelledTitle: "You are no longer watching",
    cancelled: "The check continues and its result is kept. The report is ready in a few seconds.",
    openReport: "Open the report",
    problemTitle: "That did not work",
    lost: "The connection broke before the report was ready. If the check had started, it continues and its result is kept.",
    unreachable: "The service cannot be reached. Please check your connection.",
    blocked: "The verification could not be loaded. Please load the page again.",
    tryAgain: "Try again",
  },
  rating: {
    title: "How well does this address work for you?",
    lead: "You are visiting from this address. Your rating does not change the score. The average is shown when a use has three ratings. One rating per use and day; a later one replaces it.",
    scenario: "Use",
    legend: "Rating",
    meanings: {
      5: "Very smooth",
      4: "Usable",
      3: "Barely usable",
      2: "Often blocked",
      1: "Unusable",
    },
    send: "Send the rating",
    needsScript: "Rating needs JavaScript.",
    script: {
      choose: "Please choose a rating first.",
      sending: "Sending …",
      check: "One verification first: tick the box below, then the rating is sent.",
      elsewhere:
        "One verification first: complete it on the refresh page, then come back and send the rating.",
      toCheck: "To the verification",
      thanks: "Thank you, your rating of {scenario} counts: {rating}.",
      shown: "{scenario}: {count} ratings, average {average} of 5.",
      notYet: "It is shown when there are three ratings.",
      failed: "The rating could not be sent. Please try again.",
    },
  },
};

/** English texts of the page that documents the API. */
export const docsEn: DocsTexts = {
  title: "API documentation",
  description:
    "Every path of the API: parameters, limits, headers, responses with examples, and the fields of each document. No key, no sign-up.",
  lead: "No key and no sign-up. This page is generated from the OpenAPI document and lists all requests that programs can make.",
  quickTitle: "Quick start",
  quick: {
    own: "Your public address",
    json: "The whole report on an address (JSON)",
    text: "Plain text, 72 columns",
    terminal: "One screen for a terminal, in colour",
    gate: "Good enough? PASS, FAIL or UNKNOWN",
  },
  use: [
    () =>
      'One address in, one report out: purity from 0 to 100, every deduction, what each source answered or why it failed, and what an IP alone cannot tell. No risk seen does not mean "safe": pass on unknowns with any conclusion, and cite reportUrl.',
    ({ lookupsPerMinute, newPerMinute, refreshPerMinute }) =>
      `Each client (IPv4 address or IPv6 /64) may make ${lookupsPerMinute} lookups a minute, ${newPerMinute} of them of addresses that are not stored yet, and ${refreshPerMinute} refreshes.`,
    ({ openPerDay, openPerMinute, openDailyTotal }) =>
      `${
        Math.min(openPerDay, openPerMinute, openDailyTotal) > 0
          ? `Without human verification, each client may look up ${openPerDay} addresses a day that are not stored yet, and the whole site ${openPerMinute} a minute and ${openDailyTotal} a day. Then the answer is`
          : "Addresses that are not stored yet need human verification. Without it the answer is"
      } 403 verification_required: open reportUrl in a browser and complete the verification once; the address is then stored. Stored addresses cost no allowance.`,
    () =>
      "Every GET also answers HEAD. Pages of any site may read JSON and text. Unknown parameters are ignored. Do not scan ranges, and do not use it for bulk or scheduled checks.",
  ],
  source: "OpenAPI 3.1 document:",
  contents: "Contents",
  parameters: "Parameters",
  name: "Name",
  place: "Location",
  places: { query: "query", path: "path", header: "header", cookie: "cookie" },
  type: "Type",
  meaning: "Meaning",
  required: "required",
  requestBody: "Request body",
  responses: "Responses",
  headers: "Headers",
  example: "Example",
  call: "Example call",
  documents: "Documents",
  field: "Field",
  allHeaders: "All response headers",
  cookies: "Cookies",
  inOtherLanguage: "In Chinese:",
};
