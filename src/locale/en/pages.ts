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
  outcomes: {
    answered: "Told something",
    foundNothing: "Found nothing",
    failed: "Failed",
    skipped: "Skipped",
  },
  detail: "Detail",
  citation: ({ ip, purity, band, confidence, moment }) =>
    `${ip}: purity ${purity}/100 (${band.toLowerCase()}), confidence ${confidence.toLowerCase()}, surveyed ${moment}.`,

  history: "Earlier conclusions",
  historyFacts: ({ count, from, to, lowest, highest }) =>
    lowest === highest
      ? `${count} conclusions from ${from} to ${to}; purity has always been ${lowest}.`
      : `${count} conclusions from ${from} to ${to}; purity between ${lowest} and ${highest}.`,
  historyTable: "Every conclusion",
  date: "Date",
  band: "Band",
  scoringVersion: "Scoring version",
  scoringChanged: (from, to, date) =>
    `Dashed line: on ${date} the scoring changed from version ${from} to ${to}; scores before and after do not compare directly.`,

  slogan: "How clean is an IP address?",
  homeDescription:
    "The purity of any IPv4 or IPv6 address: proxy, VPN, Tor and data-centre detection, blocklists, abuse history and six use cases, with the basis of every point.",
  homeLead:
    "Give an address and get its purity, the basis of every deduction, and what could not be found out.",
  field: "IP address",
  fieldHint: "IPv4 or IPv6. Pasted text works too: brackets, ports, blanks or a whole URL.",
  lookUp: "Look up",
  yourAddress: "Your address",
  yourReport: "See its report",
  aboutTitle: "What a report holds",
  about: [
    [
      "Purity and confidence",
      "0 to 100, higher is cleaner. How many sources answered is told apart from the score.",
    ],
    ["A bill that adds up", "From 100 points, what each item took, who says so, and the sum that is left."],
    [
      "Six use cases",
      "AI services, social sign-up, streaming, gaming, cross-border e-commerce and e-mail, each with a score and its reasons.",
    ],
    [
      "What is not known",
      "Sources that did not answer, lists that were not heard, and what an IP alone cannot tell. No signal found does not mean no risk.",
    ],
  ],
  compareTitle: "Compare addresses",
  compareDescription:
    "Up to twenty candidate IP addresses side by side: purity, confidence, country, network, type, flags, six use cases, blocklists and the main deductions, with the best of each marked.",
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
  compareEmpty: "Give two addresses or more; they are then shown here side by side.",
  compareCaption: "One address a row, in the order given",
  notAvailable: "Could not be had",
  listedOn: "Lists naming it",
  unknownLists: "Lists not heard",
  topDeductions: "Main deductions",
  examples: "Ways to write it",
  examplesHint: "One complete address at a time:",
  waitFor: (seconds) => `Please wait ${seconds} ${seconds === 1 ? "second" : "seconds"} before trying again.`,
  waitOver: "You can try again now.",
  tryAgain: "Try again",
  openReport: "Open the report of this address",
  code: "Code",
  goHome: "Back to the front page",
};

/** English texts of the human check, the live progress and the rating form. */
export const checkEn: CheckTexts = {
  title: {
    lookup: (ip) => `One check, then the report on ${ip}`,
    refresh: (ip) => `One check, then a new survey of ${ip}`,
    feedback: (ip) => `One check, then your rating of ${ip}`,
  },
  why: {
    lookup:
      "This address is not in the database yet, so every source has to be asked about it. That is free, but what the sources grant is limited; therefore people come before programs once the allowance without a check is used up.",
    refresh:
      "A new survey asks every source again, although an answer is already stored. What the sources grant is limited, so a refresh is for people who have passed a check.",
    feedback: "Ratings are for people who use the address. One check keeps programs from voting.",
  },
  stepsTitle: "What happens",
  steps: {
    lookup: [
      "Tick the box. Your browser computes for a second or two; there is nothing to read, to listen to or to click on.",
      "The sources are asked at once. You see each of them answer; this takes a few seconds.",
      "The report opens. From then on it is in the database for everybody, without a check.",
    ],
    refresh: [
      "Tick the box. Your browser computes for a second or two; there is nothing to read, to listen to or to click on.",
      "The sources are asked again. You see each of them answer; this takes a few seconds.",
      "The new report opens. If the new survey learns less than the stored one, the stored one is kept.",
    ],
    feedback: [
      "Tick the box. Your browser computes for a second or two; there is nothing to read, to listen to or to click on.",
      "You return to the report and rate the address.",
    ],
  },
  ownCheck:
    "The check is served by this site and runs in your browser; no third party is asked. Once passed, a cookie lets this browser look up further new addresses for 30 minutes.",
  thirdPartyCheck:
    "The check is Cloudflare Turnstile and is loaded from challenges.cloudflare.com. Once passed, a cookie lets this browser look up further new addresses for 30 minutes.",
  needsScript: "The check needs JavaScript, and your browser does not run it here.",
  needsScriptHint:
    "Allow JavaScript for this site and load the page again, over HTTPS. Addresses that are already in the database can be looked up without it.",
  needsHttps: "The check does not work on this page, because the page was loaded over plain HTTP.",
  needsHttpsHint:
    "Browsers grant the cryptography it needs only to pages over HTTPS (and to localhost). Open this page over HTTPS:",
  loading: "The check is being loaded …",
  forScripts: "For scripts and agents",
  reasons: {
    failed: "The last check was not passed. Please try it once more.",
    expired: "The last check had expired: it is good for 10 minutes. Please try it once more.",
    replayed: "The last check had been used already: each is good for one time. Please try it once more.",
    unavailable: "The check could not be judged just now. Please try again in a minute.",
    cross_site: "The check came from another site and was not accepted. Please use the check on this page.",
  },
  widget: {
    label: "I am a person",
    verifying: "Your browser is computing …",
    verified: "Computed",
    error: "The check did not work. Please try again.",
    expired: "The check has expired. Please try again.",
    waitAlert: "Still computing; please wait a moment.",
    verificationRequired: "A check is needed.",
  },
  progress: {
    verifying: "The solution is being judged …",
    heading: "Asking the sources about {ip}",
    queued: "Waiting for a free place …",
    count: "{done} of {total} done",
    countFailed: "{failed} failed",
    countSkipped: "{skipped} not asked",
    countJoin: ", ",
    announceStart: "The sources are being asked.",
    announceEnd: "All {total} sources are done. The report opens.",
    sources: "Sources",
    waiting: "waiting",
    answered: "answered",
    empty: "no record",
    failed: "failed",
    moment: "{state}, {ms} ms",
    cancel: "Stop watching",
    cancelledTitle: "You are no longer watching",
    cancelled: "The survey goes on, and its result is kept: the report is there in a few seconds.",
    openReport: "Open the report",
    problemTitle: "That did not work",
    lost: "The connection broke before the report was ready. If the survey had begun, it goes on and its result is kept.",
    unreachable: "The service cannot be reached. Please check your connection.",
    blocked: "The check could not be loaded. Please load the page again.",
    tryAgain: "Try again",
  },
  rating: {
    title: "How well does this address work for you?",
    lead: "You are visiting from this address. Your rating never touches the score; it is shown as an average once a use has three ratings. One rating a day and use; a later one replaces it.",
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
      check: "One check first: tick the box below, then the rating is sent.",
      elsewhere: "One check first: pass it on the page of the refresh, then come back and send the rating.",
      toCheck: "To the check",
      thanks: "Thank you, your rating of {scenario} counts: {rating}.",
      shown: "{scenario}: {count} ratings, average {average} of 5.",
      notYet: "It is shown once there are three ratings.",
      failed: "The rating could not be sent. Please try again.",
    },
  },
};

/** English texts of the page that documents the API. */
export const docsEn: DocsTexts = {
  title: "API documentation",
  description:
    "Every path of the API: parameters, limits, headers, responses with examples, and the fields of each document. No key, no sign-up.",
  lead: "All requests that programs can make to this service. This page is generated from the OpenAPI document.",
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
  cookies: "Cookies",
  englishVersionOf: "English version of:",
};
