import type { ReportPageTexts } from "../report_page_texts.ts";

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** English texts that only the page of a report needs. */
export const reportPageEn: ReportPageTexts = {
  usages: {
    residential: "Home",
    business: "Business",
    hosting: "Hosting",
    mobile: "Mobile",
    education: "Education",
    government: "Government",
    unknown: "Unknown",
  },
  natives: { native: "Native IP", broadcast: "Broadcast IP", unknown: "Origin unknown" },
  headline: {
    tor: "Tor exit",
    proxy: "Proxy",
    vpn: (operator) => (operator === undefined ? "VPN" : `VPN (${operator})`),
    relay: "Privacy relay",
    hosting: "Hosting",
    broadcast: "Broadcast",
    severe: "Criminal netblock",
    botnet: "Botnet controller",
    listed: (lists) => count(lists, "blocklist", "blocklists"),
    reported: "Abuse reports",
    attacks: (total) => count(total, "attack", "attacks"),
    vulnerabilities: (number) => count(number, "vulnerability", "vulnerabilities"),
    ports: "Proxy or remote ports",
    shared: (devices) => `Shared by ${devices} devices`,
    usageUnknown: "Use unknown",
    notListed: (lists) => `Not listed by ${count(lists, "blocklist", "blocklists")}`,
    noExit: "No proxy, VPN or Tor seen",
  },
  search: "Look up another IP",

  coverage: (percent) => `Coverage ${percent}%`,
  localTime: "{time} local time",

  copyAddress: "Copy address",
  copyCommand: "Copy curl",
  copyCitation: "Copy citation",
  copied: "Copied",
  saveImage: "Save as image",
  compareWith: "Compare with",
  compareField: "Addresses to compare, separated by commas",
  theme: "Switch between dark and light",

  scenarios: {
    ai: "AI services",
    social: "Social",
    streaming: "Streaming",
    gaming: "Gaming",
    ecommerce: "E-commerce",
    email: "E-mail",
  },
  profile: {
    title: "Your browser and this address",
    lead: "Every site can read these three in your browser and compare them with the address. A difference is information and costs no points: whoever travels, lives abroad or uses a VPN sees one.",
    limits:
      "Compared in your browser only; nothing is sent or stored. Time zones fit if their offset to UTC is the same now. Of your languages, the first counts. This cannot show leaks through WebRTC or DNS, the fingerprint of your device, or whether a site looks at any of this.",
    item: "Item",
    browser: "Your browser",
    address: "The address",
    addressIn: "The address ({country})",
    unknown: "Unknown",
    timeZone: "Time zone",
    clock: "Clock",
    languages: "Languages",
    fits: "Fits",
    differs: "Differs",
    spread: "{country}: {values}",
    comma: ", ",
    behind: "Your clock is wrong: it shows a time before this survey.",
  },
  vendors: (asOf) => `Region only, as AI vendors publish it (${asOf})`,
  regionStates: { supported: "supported", unsupported: "not supported", unclear: "not certain" },

  adjustments: "Caps and rounding",
  adjustmentsNote: "What exceeds a limit does not count",

  matrix: "Who says what",
  matrixLead: (sources) => `Answers of ${count(sources, "source", "sources")} to the same questions`,
  columns: {
    source: "Source",
    usage: "Type",
    country: "Geo",
    proxy: "Proxy",
    vpn: "VPN",
    tor: "Tor",
    hosting: "Host",
    list: "List",
  },
  yes: "Yes",
  no: "No",
  silent: "not stated",
  listed: "Listed",
  lists: (number) => count(number, "blocklist", "blocklists"),
  conclusion: "Verdict",
  agreement: (families) => `(${families})`,
  matrixHow: "What the number after Yes counts",
  matrixNote:
    "It counts the independent publishers that say so. Several copies of the same data count as one. An authority counts as two. Our table of networks counts as one, and so does the name of the network.",
  moreSources: (number) => `${count(number, "more source", "more sources")}`,
  scores: "Risk scores of others (0 to 100, higher is worse)",

  evidence: "Abuse, ports and sharing",

  strip: {
    answered: "Answered",
    foundNothing: "No record",
    failed: "No answer",
    pending: "Downloading",
    skipped: "Not asked",
    unused: "Not used here",
  },
  eachSource: "List every source",
  unusedNote:
    "This site does not use these sources. What they know is not known here: it costs no points, and it is not a clean result.",

  bogonTitle: "Not a public address",
  bogonLead:
    "This is not an ordinary address of the public internet, so it has no score, no blocklists and no use cases.",
  bogonNext: "Looking for the public IP that you browse from?",
  bogonLink: "Look up my public IP",

  offset: (offset, time) => `UTC${offset}, ${time} there at the time of the survey`,
  command: "Command line",
  further: "Look further",
};
