import { ISP, SATELLITE } from "./as_classes/access_networks.ts";
import { BUSINESS, GATEWAY } from "./as_classes/business_networks.ts";
import { CARRIER } from "./as_classes/carrier_networks.ts";
import { CDN, HOSTING } from "./as_classes/hosting_networks.ts";
import { EDUCATION, GOVERNMENT } from "./as_classes/institution_networks.ts";
import { MOBILE } from "./as_classes/mobile_networks.ts";
import { TOR, VPN, VPN_HOST } from "./as_classes/vpn_networks.ts";
import { AS_KINDS, type AsKind } from "./as_kinds.ts";

/**
 * Well-known autonomous systems by kind, one operator a line: `Operator: numbers`, or `Operator = Service: numbers`
 * where the whole AS belongs to one VPN service, or `Operator [US CA]: numbers` for a carrier and the countries in which
 * it registers its own space. A number is here only if the whole AS is of its kind. Carriers that also rent out
 * servers, and networks whose use is not clear, are left out. Add whole operators, not single cases.
 *
 * Compiled by hand from general knowledge of the operators. To check an entry, use the operator's own pages, PeeringDB
 * (https://www.peeringdb.com), bgp.tools (https://bgp.tools) and the registries.
 */
export const AS_CLASSES: Readonly<Record<AsKind, string>> = {
  vpn: VPN,
  vpn_host: VPN_HOST,
  tor: TOR,
  hosting: HOSTING,
  cdn: CDN,
  gateway: GATEWAY,
  business: BUSINESS,
  education: EDUCATION,
  government: GOVERNMENT,
  mobile: MOBILE,
  isp: ISP,
  satellite: SATELLITE,
  carrier: CARRIER,
};

/**
 * What is known about one autonomous system. `service`: the VPN service that the whole AS belongs to. `home`: the
 * countries in which a carrier registers its own space.
 */
export interface AsClass {
  readonly class: AsKind;
  readonly operator: string;
  readonly service?: string;
  readonly home?: readonly string[];
}

const LINE = /^\s*([^:=[\]]+?)(?: = ([^:=]+))?(?: \[([A-Z]{2}(?: [A-Z]{2})*)\])?: (\d+(?: \d+)*)$/;

const CLASSES = readClasses();

/** Returns the class of the autonomous system, or undefined when the table does not have it. */
export function findAsClass(asn: number): AsClass | undefined {
  return CLASSES.get(asn);
}

/** @throws Error when a line is not readable or a number appears twice. This happens when the program starts. */
function readClasses(): ReadonlyMap<number, AsClass> {
  const classes = new Map<number, AsClass>();
  for (const kind of AS_KINDS) {
    for (const line of AS_CLASSES[kind].trim().split("\n")) {
      const [, operator, service, home, numbers] = LINE.exec(line) ?? [];
      if (operator === undefined || numbers === undefined || (home === undefined) === (kind === "carrier")) {
        throw new Error(`Cannot read "${line.trim()}"`);
      }
      const known: AsClass = {
        class: kind,
        operator,
        ...(service === undefined ? {} : { service }),
        ...(home === undefined ? {} : { home: home.split(" ") }),
      };
      for (const number of numbers.split(" ").map(Number)) {
        if (classes.has(number)) throw new Error(`Cannot read "${line.trim()}": AS${number} is there twice`);
        classes.set(number, known);
      }
    }
  }
  return classes;
}
