import type { PageTexts } from "./page_texts.ts";

/** English words of the pages. */
export const pageEn: PageTexts = {
  pages: "This page",
  more: "This site",
  home: "Home",
  compare: "Compare",
  docs: "API documentation",
  forModels: "For models",

  asMarkdown: "Markdown",
  otherShapes: "Other formats",
  refresh: "Check again",
  removal: "Details and removal",
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
  look: "Look up",
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
    "Up to five candidate IP addresses side by side: purity, confidence, usage, flags, six use cases, blocklists and the main deductions.",
  compareField: "Candidate addresses",
  compareHint: "Up to five, separated by commas, blanks or line breaks.",
  compareLook: "Compare",
  shellTitle: "In a terminal",
  shellLead: "No key and no sign-up needed.",
  shellMine: "Your public address",
  shellReport: "A report in colour",
  shellData: "All data (JSON)",
  shellText: "Plain text, 72 columns",
  linksTitle: "More",
  methodLink: "How the score is made: every rule and number",
  docsLink: "API documentation",
  modelsLink: "For models and agents (llms.txt)",

  candidate: "Address",
  nothingCompared: "Give two to five addresses; they are then shown here side by side.",
  compareCaption: "One address a column, in the order given",
  notHad: "Could not be had",
  listedOn: "Lists naming it",
  unheardLists: "Lists not heard",
  topDeductions: "Main deductions",
  fullReport: "Full report",

  given: "What was read",
  examples: "Ways to write it",
  examplesHint: "One complete address at a time:",
  waitFor: (seconds) => `Please wait ${seconds} ${seconds === 1 ? "second" : "seconds"} before trying again.`,
  waitOver: "You can try again now.",
  tryAgain: "Try again",
  openReport: "Open the report of this address",
  code: "Code",
  goHome: "Back to the front page",
};
