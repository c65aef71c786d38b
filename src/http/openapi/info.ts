import type { HttpContext } from "../context.ts";
import type { Described } from "./schemas.ts";

/** Version of the interface, not of the program. */
const INTERFACE_VERSION = "1.0.0";

/** The facts about a service that its description states. */
export type DescribedService = Pick<HttpContext, "baseUrl" | "limits" | "contact">;

/** The Info Object: the limits in force, and the operator's contact. */
export function describeInfo({ limits, contact, baseUrl }: DescribedService): Described {
  return {
    title: "limpid",
    version: INTERFACE_VERSION,
    summary: "Tells how clean an IP address is, and shows its reasoning.",
    description: describeUse(limits, contact),
    contact:
      contact === undefined ? { name: "Operator of this service", url: baseUrl } : describeContact(contact),
    license: { name: "MIT", identifier: "MIT" },
  };
}

/** The Contact Object: an e-mail address, a URL, or else a name. */
function describeContact(contact: string): Readonly<Record<string, string>> {
  const email = contact.replace(/^mailto:/, "");
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(email)) return { name: "Operator", email };
  const isUrl = /^https?:\/\//.test(contact) && URL.canParse(contact);
  return isUrl ? { name: "Operator", url: contact } : { name: contact };
}

function describeUse(limits: HttpContext["limits"], contact: string | undefined): string {
  const { lookupsPerMinute, newPerMinute, refreshPerMinute } = limits;
  const { openPerDay, openPerMinute, openDailyTotal } = limits;
  const isOpen = openPerDay > 0 && openPerMinute > 0 && openDailyTotal > 0;
  return [
    "One address in, one report out: purity from 0 to 100, every deduction behind it, what each source said or failed",
    "to say, and what no address can tell. A report without risk signals must not be read as safe: pass `unknowns` on",
    "with any conclusion and cite `reportUrl`. No key and no sign-up.",
    "\n\nEvery GET also answers HEAD; pages of any site may read JSON and text. Limits per client (IPv4 address or IPv6",
    `/64): ${lookupsPerMinute} lookups a minute, of which ${newPerMinute} of addresses that are not known yet, and`,
    `${refreshPerMinute} refreshes a minute.`,
    isOpen
      ? `Without human verification, ${openPerDay} unknown addresses a day; for all clients together, ${openPerMinute} a minute (then 429 \`open_rate_limited\`) and ${openDailyTotal} a day. After that 403`
      : "Unknown addresses need human verification: without it 403",
    "`verification_required`: open `reportUrl` in a browser and solve the verification once. The service then answers",
    "calls for that address from the database, and what is in the database costs no allowance. Unknown parameters are",
    "ignored.",
    "Do not use this interface for range scans, bulk or scheduled checks.",
    ...(contact === undefined ? [] : [`If you need them, contact the operator: ${contact}`]),
  ].join(" ");
}
