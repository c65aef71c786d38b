import * as v from "valibot";
import { knownText } from "./known_text.ts";

/** The parts of an RDAP network object in which a holder may be named. */
export interface RdapNaming {
  readonly name: string | undefined;
  readonly entities: readonly unknown[];
  readonly remarks: readonly unknown[];
  /** LACNIC writes the holder's name into `name`. */
  readonly isNameHolder: boolean;
}

/** Names that may be shown: the network's own, and the organisation that holds it. */
export interface RdapHolder {
  readonly netName?: string;
  readonly org?: string;
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

/** jCard (RFC 7095 section 3.3): `["vcard", [[name, parameters, type, value], …]]`. */
const CardSchema = v.tuple([v.literal("vcard"), v.array(v.array(v.unknown()))]);

const RemarkSchema = v.object({
  title: v.optional(v.string()),
  description: v.array(v.string()),
});

interface Card {
  readonly handle: string;
  readonly roles: readonly string[];
  readonly kind: string | undefined;
  readonly name: string | undefined;
}

/**
 * Finds the holder of a network object. People are never named: neither cards of individuals, nor a network name or
 * a remark when it is, or may be, one's. Maintainers and bare handles are no holders.
 */
export function findRdapHolder({ name, entities, remarks, isNameHolder }: RdapNaming): RdapHolder {
  const cards: Card[] = [];
  collectCards(entities, 0, cards);
  const people = cards.filter(isPerson);
  const isPersonal = (text: string) =>
    people.some((person) => person.name?.toLowerCase() === text.toLowerCase());

  const known = knownText(name);
  const netName = known !== undefined && !isPersonal(known) ? known : undefined;
  const isHeldByPerson = people.some(({ roles }) => roles.includes("registrant"));
  const org =
    findOrganisation(cards.filter((card) => !isPerson(card))) ??
    (isHeldByPerson ? undefined : findDescription(remarks)) ??
    (isNameHolder ? netName : undefined);
  return {
    ...(netName === undefined ? {} : { netName }),
    ...(org === undefined || isPersonal(org) ? {} : { org }),
  };
}

/** Breadth first: the nearer a card is to the network, the more it says about it. */
function collectCards(entities: readonly unknown[], depth: number, cards: Card[]): void {
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
}

function readCard(vcardArray: unknown): Pick<Card, "kind" | "name"> {
  const card = v.safeParse(CardSchema, vcardArray);
  const properties = card.success ? card.output[1].slice(0, MAX_PROPERTIES) : [];
  const find = (key: string) => knownText(properties.find((property) => property[0] === key)?.[3]);
  return { kind: find("kind")?.toLowerCase(), name: find("fn") };
}

/** RFC 6350 section 6.1.4: a card without a kind is an individual's. Handles of organisations say otherwise. */
function isPerson({ kind, handle, name }: Card): boolean {
  return name !== undefined && (kind ?? (isOrgHandle(handle) ? "org" : "individual")) === "individual";
}

function findOrganisation(cards: readonly Card[]): string | undefined {
  const holders = cards.filter(({ handle, name, roles }) => {
    const isHolder = roles.includes("registrant") || (roles.length === 0 && isOrgHandle(handle));
    return isHolder && name !== undefined && name !== handle && !name.includes("@") && !isMaintainer(handle);
  });
  return (holders.find(({ handle }) => isOrgHandle(handle)) ?? holders[0])?.name;
}

/** Remarks hold everything from mottos to mail addresses; only a plain first line of a description is taken. */
function findDescription(remarks: readonly unknown[]): string | undefined {
  for (const value of remarks.slice(0, 8)) {
    const remark = v.safeParse(RemarkSchema, value);
    if (!remark.success || (remark.output.title ?? "description").toLowerCase() !== "description") continue;
    const line = knownText(remark.output.description[0]);
    if (line !== undefined && line.length <= MAX_LINE && /\p{L}/u.test(line) && !/@|:\/\//.test(line))
      return line;
  }
  return undefined;
}

function isOrgHandle(handle: string): boolean {
  return /^ORG-/i.test(handle);
}

function isMaintainer(handle: string): boolean {
  return /-MNT$|^(?:MNT|MAINT)-/i.test(handle);
}
