import type { MethodTexts } from "../method_texts.ts";

const percent = (share: number) => `${Math.round(share * 100)}%`;

/** English texts of the page that documents the scoring method. */
export const methodEn: MethodTexts = {
  title: "How the score is made",
  link: "Where these points come from: the method",
  linkLine: (url) => `How the score is made: ${url}`,
  version: (version) => `Scoring version ${version}`,
  description:
    "How limpid scores an IP address: every rule, weight, cap, floor, half-life, band, use-case table and source family, in the open.",
  lead: [
    () => "This page is made of the same tables that score: the numbers here are the numbers that count.",
    () =>
      "Purity = 100 − risk, rounded. Risk is the sum of all deductions and of what is given back, kept between 0 and 100, and never below the highest minimum risk among them. A report shows every item, so anyone can do the sum again.",
    () =>
      "No country or region costs points for being what it is. A source that does not answer neither costs nor earns points; it lowers confidence.",
  ],
  rulesTitle: "Rules and weights",
  rule: "Rule",
  weight: "Weight",
  rules: {
    bogon:
      "Private, reserved, documentation and other special-purpose space: neither clean nor dirty, judged by this alone.",
    tor_exit: "An exit of the Tor network. The minimum risk stands only on full weight.",
    proxy: "The exit of a public or residential proxy.",
    vpn: "The exit of a VPN; the operator is named where known.",
    relay: "The exit of a privacy relay (such as iCloud Private Relay), with many real users behind it.",
    hosting: "The network of a data centre or cloud: no fault in itself, but few people browse from there.",
    usage_unknown: "A source that can tell what the network is used for answered and could not.",
    broadcast: "Registered in one country and used in another; which two they are does not matter.",
    botnet_controller: "Listed as the controller of a botnet. The minimum risk stands only on full weight.",
    severe_listing:
      "The netblock is listed as hijacked or run by criminals. The minimum risk stands only on full weight.",
    blocklists:
      "Lists that accuse the address of abuse, counted as voices (see below); the step of a single voice is already halved. A code that its list does not document counts extra per family, two at most.",
    abuse_score:
      "The score of an abuse-report source, the gravest after fading. Such a score already sums up many reporters, so one source is enough.",
    attack_history:
      "Attacks on record at the source that weighs most after fading. Sources see the same attacks, so they are not added up.",
    exposed_vulnerabilities:
      "Known vulnerabilities seen by public scans. Scanners infer them from versions, so they weigh little.",
    open_ports: "Ports at which proxies and VPNs customarily listen answer: a weak hint.",
    shared_address: "Devices seen on the address; nothing on mobile lines and public services.",
    anonymity_cap: "The most that anonymity deducts; what is above comes back.",
    network_cap: "The most that the network deducts; what is above comes back.",
    lists_cap: "The most that blocklists deduct; what is above comes back.",
    abuse_cap: "The most that abuse deducts; what is above comes back.",
    exposure_cap: "The most that exposure deducts; what is above comes back.",
    shared_line_relief:
      "On mobile lines, or lines that many people share, this part of the deductions for blocklists and abuse comes back.",
    residential_agreement:
      "At least two independent families take it for a home line, one of them in so many words, nobody for an exit, and no list accuses it.",
    verified_crawler:
      "A search-engine crawler confirmed by reverse and forward DNS: this part of the deductions for anonymity and the network comes back.",
    public_infrastructure:
      "A public DNS resolver or root server, nobody's exit: this part of the deductions for anonymity, network, blocklists and abuse comes back. A minimum risk stands.",
    carried_fading:
      "Accusations of sources that did not answer this time: what they have lost since the source was lost comes back.",
  },
  points: (points) => `${points} points`,
  undocumented: (points) => `each undocumented code: ${points} points`,
  pointsBack: (points) => `${points} points back`,
  floor: (floor) => `minimum risk ${floor}`,
  cap: (cap) => `at most ${cap} points`,
  share: (share) => `${percent(share)} back`,
  step: (from, points, measure) => `${measure} ≥ ${from}: ${points} points`,
  measures: {
    blocklists: "voices of lists",
    abuse_score: "score",
    attack_history: "attacks",
    exposed_vulnerabilities: "vulnerabilities",
    shared_address: "devices",
  },
  weighingTitle: "How evidence is weighed",
  weighing: [
    ({ loneShare }) =>
      `Agreement counts independent families, not sources. What only 1 family says counts ${percent(loneShare)}, from 2 on it counts in full.`,
    () =>
      "The word of an authority on a matter (the Tor project on its own exits, for example) counts in full alone; the report says so.",
    ({ subnetShare }) =>
      `What is known only of the /64 network around an IPv6 address, not of the address itself, counts ${percent(subnetShare)} of that; the report says so.`,
    ({ halfLifeDays, forgottenDays }) =>
      `Dated reports lose half their weight every ${halfLifeDays} days and all of it after ${forgottenDays}. Undated ones count in full.`,
    ({ furtherList }) =>
      `Blocklists count as voices: a list of another family is one voice, each further list of a family ${percent(furtherList)} of one, up to one more in all. A list that counts other lists stands for as many as it says, less one, at most four. Between two steps points are in proportion.`,
    ({ carried }) =>
      `What a source said against the address is carried forward, with its date, when the source does not answer a refresh. It counts in full at first, loses half its weight every ${carried.halfLifeDays} days and all of it after ${carried.days}, and ends when the source answers.`,
    () => "Every amount is rounded to half points: what is shown is what is summed.",
  ],
  bandsTitle: "Bands of purity",
  band: "Band",
  from: "Purity from",
  confidenceTitle: "Confidence",
  confidence: [
    ({ confidence }, evidenceKinds) =>
      `High: ${percent(confidence.high)} of the weight of the planned sources was heard, and at least one source on each of ${evidenceKinds.join(", ")}, and at least one blocklist asked live: downloaded lists alone are not enough. Of each kind of evidence that may accuse, ${percent(confidence.kind)} of the weight was heard, and no accusation is only carried forward.`,
    ({ confidence }) =>
      `Medium: ${percent(confidence.medium)} was heard, and either anonymity or blocklists.`,
    () =>
      "Low: anything less, and always when no live source answered. The verdict then says how little was heard.",
    ({ confidence }) =>
      `Blocklists count as heard when at least 1/${confidence.listsOneIn} of those meant to be asked answered.`,
    ({ confidence }) =>
      `Data that has grown old, in a downloaded list or a built-in table, counts as heard for ${percent(confidence.ageing)} of its weight.`,
    () =>
      "A stored report past its staleness threshold is shown with its confidence one step lower, high as medium and medium as low. Age alone never changes the purity.",
  ],
  evidenceKinds: {
    network: "network",
    location: "location",
    registry: "registration",
    anonymity: "anonymity",
    lists: "blocklists",
    abuse: "abuse",
    exposure: "exposure",
  },
  rangeTitle: "Coverage and range",
  range: [
    () =>
      "Coverage is the share of the expected evidence that was heard, by the weight of the sources: in all, and by kind. Sources that are off count as not heard.",
    () =>
      "The range tells which purity remains possible if what was not heard speaks as it does for 95% of the labelled addresses of this kind of network. Each kind of evidence can still deduct the points below, in proportion to the part of it that was not heard; all kinds together deduct at most the last column, and none more than its cap leaves. When everything was heard, both ends are the purity.",
    () =>
      "The points are measured on public lists of known addresses, which contain many more exits and attackers than the Internet does, so the low end is a cautious one.",
  ],
  kindOfNetwork: "Kind of network",
  together: "all together",
  scenariosTitle: "Use cases",
  scenarios: [
    () =>
      "Six uses, each with a table of its own rather than the purity by another name. Every reading takes from 100 what the table says. The network and the kind of exit are often one machine, so the lesser of the two counts by half; of several kinds of exit the costliest counts, weighed as above.",
    ({ criticalListing, maxScores }) =>
      `A botnet controller or a criminal netblock costs every use ${criticalListing}. Where neither anonymity nor blocklists were heard, no score exceeds ${maxScores.withoutCore}; where only what this use needs most was not, none exceeds ${maxScores.withoutNeeded}.`,
  ],
  reading: "Reading",
  readings: {
    tor: "Tor exit",
    proxy: "Proxy",
    vpn: "VPN",
    relay: "Privacy relay",
    broadcast: "Broadcast address",
    lists: "Voices of blocklists: 1 / 2 / 3 or more",
    policy: "Declared as space that should not send mail",
    abuse: "Abuse at its cap (in proportion below)",
    shared: "Devices at the highest step (half at a lower one)",
    needs: "Must be heard",
  },
  levelsTitle: "Levels of use cases",
  regionsTitle: "Regions of AI services",
  regions: [
    ({ regions }) =>
      `By the supported regions that vendors publish (as of ${regions.asOf}). They publish whom they support, so "not listed" means no more than that. Hong Kong and Macao are judged on their own; other territories follow their parent.`,
    ({ maxScores }) =>
      `Listed by no vendor: restricted, without a score. Not listed by some, or placed by sources in countries that differ in this: at most ${maxScores.regionPartial}. Not confirmed: at most ${maxScores.regionUnclear}.`,
  ],
  vendor: "Vendor",
  unsupported: "Not listed",
  unclear: "Not confirmed",
  none: "none",
  sourcesTitle: "Source families",
  sources:
    "Sources of one family go back to the same data and are one voice. Weights only measure how much was heard; they do not change deductions.",
  family: "Family",
  members: "Sources (weight)",
  covers: "Can speak about",
  kinds: { free: "public", commercial: "commercial" },
  changesTitle: "Changes of the rules",
  changes: {
    first_rules: "The first set of rules.",
    lists_weigh_more:
      "Every step of the blocklists weighs more, four and five families have steps of their own, and the cap rose from 35 to 55: an address on one list should not be called pristine, nor one on five independent lists clean. The tables of the use cases followed.",
    agreed_vpn_not_clean:
      "VPN rose from 30 to 32 points: an exit that two independent sources call a VPN should not be called clean.",
    infrastructure_in_full:
      "Public resolvers and root servers get anonymity and network points back as well: they are nobody's exit.",
    subnet_by_half: "What is known only of the same IPv6 /64 counts by half, and the report says so.",
    verdict_tells_thinness:
      "With low confidence the verdict tells how little was heard, and it tells when one source alone says so or only the /64 is known. Scores did not change.",
    regions_by_vendor:
      "AI regions are read vendor by vendor: offered by some only, not confirmed, or disputed among sources each have a sentence and a bound. Every use names at least two reasons where there are two.",
    calibrated:
      "Tor exits went from 60 to 62 points, and their cap with them, so that one source alone no longer leaves a clean address; data centres from 20 to 22, so that none is pristine. Residential agreement gives nothing back where a list accuses the address. High confidence needs a blocklist asked live.",
    range_by_coverage:
      "A report shows the share of the evidence that was heard, and the range of purity that remains possible.",
    lists_by_voices:
      "A list that counts other lists stands for as many voices as it says, up to four, and further lists of one family count a little. Before, an address on eight lists could count as one.",
    consensus_is_authority:
      "The Tor consensus is an authority on exits, as the exit lists are: an exit that it names is suspicious at best, over IPv4 and IPv6. Downloaded lists of exits count in the coverage of anonymity.",
    accusations_carried:
      "What a source said against an address stays when the source does not answer a refresh, and fades. High confidence needs half of the weight of each kind of evidence that may accuse.",
    age_lowers_confidence:
      "Lists and tables that have grown old count for half in coverage, and a stored report past its staleness threshold is shown with its confidence one step lower. Scores did not change.",
  },
};
