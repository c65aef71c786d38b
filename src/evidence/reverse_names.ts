import { readTsv } from "#tsv";
import table from "./tables/reverse_names.tsv" with { type: "text" };

/** What a reverse name says about its host. `infrastructure`: a router, a mail server or a name server. */
export type NameKind =
  | "residential"
  | "mobile"
  | "business"
  | "hosting"
  | "education"
  | "government"
  | "vpn"
  | "infrastructure";

/** A word of an address that does not change. Such lines are sold to companies, and to homes at a surcharge. */
type WordKind = NameKind | "static" | "access";

const rows = readTsv(table, ["place", "text", "kind"]);
const select = (place: string) =>
  new Map(rows.flatMap((row) => (row.place === place ? [[row.text, row.kind as WordKind] as const] : [])));
const WORDS = select("word");
const BRANDS = [...select("brand")];
const DOMAINS = select("domain");

/** The limit of a DNS name in octets (RFC 1035, section 2.3.4). */
const MAX_LENGTH = 255;

/** Second-level labels below which countries register names. */
const SECOND_LEVELS = new Set(
  "ac ad asso co com ed edu firm gen go gob gouv gov govt ind info mil muni ne net nhs nic nom or org police sch school".split(
    " ",
  ),
);

/** Names of public institutions: `edu`, `ac.uk`, `gov`, `gob.mx`, `k12.ca.us`. */
const EDUCATION = /\.(?:edu|(?:edu|ac|sch|school)\.[a-z]{2}|k12\.[a-z]{2}\.us)$/;
const GOVERNMENT = /\.(?:gov|mil|(?:gov|gob|gouv|govt|go|mil|gub|gv)\.[a-z]{2})$/;

/** The first label of a mail server, a name server, a router or a time server. */
const SERVICE =
  /^(?:[a-z]?ns|[a-z]?dns|rdns|resolver|recursor|cache|nameserver|mx|mxs?[a-z]?|mail|mails|e?mx|smtp|smtps|smtpout|smtp-?out|mailout|mail-?out|mailgw|mailgate|mailhost|mta|relay|imap|pop|webmail|exchange|owa|zimbra|gw|gateway|router|rtr|core|border|bdr|edge|peer|ntp|time|outbound|out|proxy|fw|firewall|lb)(?:-?\d{1,3})?[a-z]?\d{0,2}(?:-\d{1,2})?$/;

/** A label of a router's interface, such as `ae-3`, `xe-0-0-1`, `te0-1-0-2`, `be2317`, `vlan2014`. */
const INTERFACE =
  /^(?:if-)?(?:ae|xe|et|ge|gi|te|be|po|hu|hundredgige|tengige|gigabitethernet|fa|so|bundle-ether|bundle|port-channel|vlan|eth|irb|lo|pos|fe|tge|bvi)-?\d+(?:[-_.]\d+)*(?:-v[46])?$/;

/** A label of a router, such as `cr1`, `ccr32`, `core1`, `pe2-lon`. */
const ROUTER =
  /^(?:c?cr|core|tcore|rcr|br|bb|pe|ar|er|dr|bdr|edge|border|gw|asr|mx|agr|csr|mpd|nr|rtr|rc|bbr|gsr)\d[-_a-z0-9]*$/;

/** A label of a service that sends mail or resolves names, anywhere in the name. */
const TRANSPORT = /^(?:[a-z]*dns|outbound|.*-?smtp(?:-?out)?\d*|mail-?out)$/;

/** A label that contains an address or a number of a line: not a name that somebody gave to one machine. */
const NUMBERED = /\d+[-x_.]\d+|\d{3,}|[0-9a-f]{8,}/;

/**
 * Tells what a reverse name says about its host. Undefined when the name says nothing. The operator of the address
 * block writes the name, so it can be forged: it confirms others or makes a report worse, and clears nothing by itself.
 */
export function classifyReverseName(name: string): NameKind | undefined {
  const text = name.slice(0, MAX_LENGTH).toLowerCase().replace(/\.$/, "");
  const labels = text.split(".");
  if (labels.length < 2) return undefined;
  const depth = SECOND_LEVELS.has(labels.at(-2) ?? "") && (labels.at(-1) ?? "").length === 2 ? 3 : 2;
  const host = labels.slice(0, -depth);
  const brand = labels.at(-depth) ?? "";
  const words = host.flatMap((label) => label.split(/[^a-z]+/)).filter((word) => word !== "");
  const kinds = words.flatMap((word) => WORDS.get(word) ?? []);
  const has = (kind: WordKind) => kinds.includes(kind);
  const domain = findDomain(labels);
  const ofBrand = BRANDS.find(([word]) => brand.includes(word))?.[1];

  if (has("vpn") || ofBrand === "vpn") return "vpn";
  if (host.some((label) => INTERFACE.test(label))) return "infrastructure";
  if (EDUCATION.test(text) || domain === "education") return "education";
  if (GOVERNMENT.test(text)) return "government";
  if (isInfrastructure(host)) return "infrastructure";
  if (domain === "infrastructure") return host.length > 0 ? "infrastructure" : undefined;
  if (has("education") || ofBrand === "education") return "education";
  if (has("mobile") || domain === "mobile") return "mobile";
  if (domain === "hosting") return has("residential") && !has("static") ? "residential" : "hosting";
  if (has("business") || ofBrand === "business" || domain === "business") return "business";
  if (has("hosting") && domain === undefined && !has("residential")) return "hosting";
  if (has("residential")) return "residential";
  if (ofBrand === "hosting" && host.length > 0) return "hosting";
  if (ofBrand === "mobile" && host.some((label) => NUMBERED.test(label))) return "mobile";
  if (has("static")) return "business";
  if (has("access")) return "residential";
  if (domain !== undefined && host.some((label) => NUMBERED.test(label))) return domain as NameKind;
  if (ofBrand === "residential" && host.some((label) => NUMBERED.test(label))) return "residential";
  return undefined;
}

function findDomain(labels: readonly string[]): WordKind | undefined {
  for (let from = 0; from < labels.length - 1; from += 1) {
    const kind = DOMAINS.get(labels.slice(from).join("."));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Whether the labels before the registered domain name a router, a mail server or a name server. */
function isInfrastructure(host: readonly string[]): boolean {
  const [first = ""] = host;
  if (SERVICE.test(first)) return true;
  if (host.some((label) => TRANSPORT.test(label))) return true;
  return (
    host.some((label) => INTERFACE.test(label)) ||
    (host.length > 1 && host.some((label) => ROUTER.test(label)))
  );
}
