import type { SiteTexts } from "../site_texts.ts";

/** English texts of the home page, the comparison and the error pages. */
export const siteEn: SiteTexts = {
  placeholder: "For example 1.2.3.4 or 2001:db8::7",
  exampleTitle: "Example report",
  exampleFromTables:
    "This example uses local tables only, so its confidence is low. A full report asks dozens of live sources as well.",
  exampleStored: (date) => `Surveyed on ${date}.`,
  exampleLink: "Open the full report",
  specialTitle: "Your address",
  special: (ip, note) => `This site sees you at ${ip}, which is not a public address: ${note}`,
  specialHint:
    "You and this site are probably in the same local network, or a reverse proxy does not pass on your real address. To check your public IP, type it into the field above.",

  best: "best",
  bestNote: "★ marks the best of a column; equals are all marked, and nothing is marked if all are equal.",
  winner: ({ ip, purity, uses }) =>
    `${ip} is the cleanest: purity ${purity}${uses === 0 ? "" : `, and the best score in ${uses} of 6 use cases`}.`,
  tie: (addresses, purity) => `${addresses.join(" and ")} are equally clean: purity ${purity} each.`,
  noWinner: "None is called the cleanest: of each address, too little is known, or nobody browses from it.",
  uses: {
    ai: "AI",
    social: "Social",
    streaming: "Streaming",
    gaming: "Gaming",
    ecommerce: "Commerce",
    email: "E-mail",
  },
  typeColumn: "Type",
  listsColumn: "Blocklists",
  listedOf: (listed, answered) => `${listed} / ${answered}`,
  unknownLists: (count) => `${count} not checked`,
  bookmark: "The address of this page holds all candidates: bookmark or share it.",
};
