import * as v from "valibot";
import { type Address, isWithin, type Prefix, parseAddress, parseLoosePrefix } from "#address";
import { UpstreamError } from "#upstream";
import { readText } from "../read_fields.ts";

/** The range that an RDAP answer is about; `blocks` are the members of `cidr0_cidrs` as CIDR text. */
export interface RdapRange {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly blocks: readonly string[];
}

/**
 * Finds the block of an RDAP answer that contains the address: the longest of the published blocks, else the largest
 * block that fits between start and end. `undefined` = start and end are the same address, which some old objects
 * have in place of their range.
 * @throws {UpstreamError} kind `shape` when no range is readable or the address is outside it.
 */
export function findRdapBlock({ start, end, blocks }: RdapRange, address: Address): Prefix | undefined {
  const published = blocks
    .flatMap((block) => parseLoosePrefix(block) ?? [])
    .filter((prefix) => isWithin(address, prefix))
    .sort((a, b) => b.bits - a.bits)[0];
  if (published !== undefined) return published;

  const first = readBound(start);
  const last = readBound(end);
  if (first === undefined || last === undefined) throw new UpstreamError("shape", "no range");
  const own = toNumber(address);
  const isInside =
    first.version === address.version &&
    last.version === address.version &&
    toNumber(first) <= own &&
    own <= toNumber(last);
  if (!isInside) throw new UpstreamError("shape", "another range");
  if (first.text === last.text) return undefined;
  return findLargest(address, own, toNumber(first), toNumber(last));
}

function findLargest(address: Address, own: bigint, first: bigint, last: bigint): Prefix | undefined {
  const width = address.version === 4 ? 32 : 128;
  for (let bits = 0; bits <= width; bits += 1) {
    const size = 1n << BigInt(width - bits);
    const base = own - (own % size);
    if (base >= first && base + size - 1n <= last) return parseLoosePrefix(`${address.text}/${bits}`);
  }
  return undefined;
}

/** Reads one end of a range. Some registries write `074.125.000.000`, or `/32` after a single address. */
function readBound(text: string | undefined): Address | undefined {
  const bare = text?.trim().replace(/\/\d{1,3}$/, "");
  if (bare === undefined) return undefined;
  const isPadded = /^\d{3}(?:\.\d{3}){3}$/.test(bare);
  return parseAddress(isPadded ? bare.replaceAll(/\d{3}/g, (octet) => String(Number(octet))) : bare);
}

function toNumber(address: Address): bigint {
  return address.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
}

/** The parts of an RDAP network object that may name its holder. */
export interface RdapNaming {
  readonly name: string | undefined;
  readonly entities: readonly unknown[];
  readonly remarks: readonly unknown[];
  /** LACNIC writes the holder's name into `name`. */
  readonly isNameHolder: boolean;
}

const MAX_CARDS = 64;
const MAX_DEPTH = 4;
const MAX_PROPERTIES = 64;
const MAX_LINE = 120;

const EntitySchema = v.object({
  handle: v.fallback(v.optional(v.string()), undefined),
  roles: v.fallback(v.optional(v.array(v.string())), undefined),
  vcardArray: v.optional(v.unknown()),
  entities: v.fallback(v.optional(v.array(v.unknown())), undefined),
});

/** jCard, RFC 7095 section 3.3: `["vcard", [[name, parameters, type, value], …]]`. */
const CardSchema = v.tuple([v.literal("vcard"), v.array(v.array(v.unknown()))]);

const RemarkSchema = v.object({ title: v.optional(v.string()), description: v.array(v.string()) });

interface Card {
  readonly handle: string;
  readonly roles: readonly string[];
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** A plain mail address; the local part and the whole are at most as long as RFC 5321 section 4.5.3.1 allows. */
const MAIL = /^(?=.{3,254}$)[\w.+%=-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

/** Words of the registries' own names. A registry is not the holder of the space that it gives out. */
const REGISTRY =
  /\bNetwork (?:Information|Coordination) Cent(?:er|re)\b|^American Registry for Internet Numbers|\bIP Address Regional Registry|^Internet Assigned Numbers Authority/i;

/** Legal forms, which only the names of organisations have. */
const LEGAL_FORM =
  /(?:^|[\s,(])(?:Inc|Incorporated|Ltd|Limited|Ltda|LLC|LLP|PLC|Plc|plc|Corp|Corporation|Co|Company|GmbH|AG|KG|SA|SAS|SARL|BV|NV|AB|AS|A\/S|Oy|Oyj|SpA|Srl|SRL|Pty|Pvt|KK|JSC|PJSC|OJSC|OOO|LTDA|EIRELI|S\.A|S\.A\.S|S\.L|S\.p\.A|S\.r\.l|B\.V|N\.V|s\.r\.o|a\.s|d\.o\.o|e\.V|K\.K|L\.L\.C)\.?(?=$|[\s,)])/;

/** Words of a line that says what a network is for, and not who holds it. */
const PURPOSE =
  /\b(?:projects?|launch|pilot|test|testing|testbed|experiment\w*|prefix|anycast|resolvers?|pool|customers?|subscribers?|dynamic|static|dial-?up|dhcp|[avx]?dsl|ftt[bchx]|pppoe|infrastructure|backbone|loopbacks?|point-to-point|links?|routed|announced|allocat\w+|assign\w+|reserved|block|range|subnet|address space|ip space|used (?:by|for)|for)\b/i;

/** Names of countries that `Intl` spells in another way. */
const MORE_COUNTRIES = `
  usa, u.s.a., united states of america, uk, u.k., great britain, england, scotland, the netherlands,
  holland, czech republic, hong kong, macau, p.r. china, pr china, p.r.china, viet nam, korea,
  republic of korea, russian federation`
  .trim()
  .split(/,\s+/);
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const COUNTRIES: ReadonlySet<string> = new Set([
  ...MORE_COUNTRIES,
  ...LETTERS.flatMap((a) => LETTERS.flatMap((b) => countryNames.of(a + b)?.toLowerCase() ?? [])),
]);

/**
 * Finds what may be shown: the network's own name, the organisation that it is registered to, and the mail address that
 * takes reports of abuse. It never returns the name of a person: it skips cards
 * of individuals, and network names and remarks that may name a person. Maintainers, bare handles, registries, places and
 * purposes are not holders.
 */
export function findRdapHolder({ name, entities, remarks, isNameHolder }: RdapNaming) {
  const cards = collectCards(entities);
  const people = cards.filter(isPerson);
  const isPersonal = (text: string) =>
    people.some((person) => person.name?.toLowerCase() === text.toLowerCase());

  const known = readText(name);
  const netName = known !== undefined && !isPersonal(known) ? known : undefined;
  const isHeldByPerson = people.some(({ roles }) => roles.includes("registrant"));
  const org =
    findOrganisation(cards.filter((card) => !isPerson(card))) ??
    (isHeldByPerson ? undefined : findDescription(remarks)) ??
    (isNameHolder ? netName : undefined);
  // The mailbox of a person is not shown.
  const offices = cards.filter((card) => card.roles.includes("abuse") && !isPerson(card));
  const abuseContact = offices.find(({ email }) => email !== undefined)?.email;
  return {
    ...(netName === undefined ? {} : { netName }),
    ...(org === undefined || isPersonal(org) ? {} : { org }),
    ...(abuseContact === undefined ? {} : { abuseContact }),
  };
}

/** Collects cards breadth first, because a card close to the network says more about it. */
function collectCards(entities: readonly unknown[], depth = 0, cards: Card[] = []): readonly Card[] {
  const below: unknown[] = [];
  for (const value of entities.slice(0, MAX_CARDS)) {
    const entity = v.safeParse(EntitySchema, value);
    if (!entity.success || cards.length >= MAX_CARDS) continue;
    const { handle = "", roles = [], vcardArray, entities: inner = [] } = entity.output;
    cards.push({ handle, roles, ...readCard(vcardArray) });
    below.push(...inner.slice(0, MAX_CARDS));
  }
  if (below.length > 0 && depth < MAX_DEPTH && cards.length < MAX_CARDS)
    collectCards(below, depth + 1, cards);
  return cards;
}

function readCard(vcardArray: unknown): Pick<Card, "kind" | "name" | "email"> {
  const card = v.safeParse(CardSchema, vcardArray);
  const properties = card.success ? card.output[1].slice(0, MAX_PROPERTIES) : [];
  const find = (key: string) => readText(properties.find((property) => property[0] === key)?.[3]);
  const mails = properties.flatMap((property) =>
    property[0] === "email" ? (readText(property[3]) ?? []) : [],
  );
  return {
    kind: find("kind")?.toLowerCase(),
    name: find("fn"),
    email: mails.find((mail) => MAIL.test(mail)),
  };
}

/** RFC 6350 section 6.1.4: a card without a kind is an individual's, unless its handle is an organisation's. */
function isPerson({ kind, handle, name }: Card): boolean {
  return name !== undefined && (kind ?? (isOrgHandle(handle) ? "org" : "individual")) === "individual";
}

/** Prefers an organisation's entity that is the registrant, then any registrant, then an organisation in any role. */
function findOrganisation(cards: readonly Card[]): string | undefined {
  const named = cards.filter((card) => isNamed(card) && card.name?.includes("@") !== true);
  const registrants = named.filter(({ roles }) => roles.includes("registrant"));
  const isOrg = ({ handle }: Card) => isOrgHandle(handle);
  return (registrants.find(isOrg) ?? registrants[0] ?? named.find(isOrg))?.name;
}

/** Whether an object names a registrant that is neither a registry nor a maintainer. */
export function hasRdapRegistrant(entities: readonly unknown[]): boolean {
  return collectCards(entities).some((card) => card.roles.includes("registrant") && isNamed(card));
}

/** Whether a card has a name of its own that is neither a registry's nor a maintainer's. */
function isNamed({ handle, name }: Card): boolean {
  if (name === undefined || name === handle || REGISTRY.test(name)) return false;
  return !/-MNT$|^(?:MNT|MAINT)-/i.test(handle);
}

/** Remarks contain all sorts of text, so only a plain first line of a description is used. */
function findDescription(remarks: readonly unknown[]): string | undefined {
  for (const value of remarks.slice(0, 8)) {
    const remark = v.safeParse(RemarkSchema, value);
    if (!remark.success || (remark.output.title ?? "description").toLowerCase() !== "description") continue;
    const line = readText(remark.output.description[0]);
    if (line !== undefined && line.length <= MAX_LINE && /\p{L}/u.test(line) && !/@|:\/\//.test(line))
      return isHolderName(line) ? line : undefined;
  }
  return undefined;
}

/** Refuses a line that names a registry, a place, or what the network is for. */
function isHolderName(line: string): boolean {
  if (REGISTRY.test(line)) return false;
  return LEGAL_FORM.test(line) || !(PURPOSE.test(line) || isPlace(line));
}

/** `Town, Country` or a country alone. */
function isPlace(line: string): boolean {
  const last = line.split(",").at(-1)?.trim().toLowerCase() ?? "";
  return COUNTRIES.has(last.replace(/\.$/, "")) || COUNTRIES.has(last);
}

function isOrgHandle(handle: string): boolean {
  return /^ORG-/i.test(handle);
}
