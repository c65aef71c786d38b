import type { Report } from "#report";

/** A credit that a publisher's terms ask for wherever its data is shown. */
export interface Credit {
  readonly text: string;
  readonly url: string;
}

/** Sources whose terms ask for a line of their own, by the name they bear in the report. */
const BY_SOURCE: readonly { readonly names: readonly string[]; readonly credit: Credit }[] = [
  {
    // CC BY-SA 4.0, https://ipinfo.io/developers/lite-api
    names: ["IPinfo Lite"],
    credit: { text: "IP address data powered by IPinfo", url: "https://ipinfo.io" },
  },
  {
    // https://www.spamhaus.org/drop/terms/
    names: ["Spamhaus DROP", "Spamhaus ASN-DROP"],
    credit: { text: "DROP: © The Spamhaus Project", url: "https://www.spamhaus.org/drop/" },
  },
];

/** The credits a report owes; `location` is the line for DB-IP in the report's language. */
export function listCredits(report: Report, location: string): readonly Credit[] {
  const isHeard = (names: readonly string[]) =>
    report.sources.some((source) => source.ok && names.includes(source.name));
  return [
    ...(report.geo === undefined && report.asn === undefined
      ? []
      : [{ text: location, url: "https://db-ip.com" }]),
    ...BY_SOURCE.filter(({ names }) => isHeard(names)).map(({ credit }) => credit),
  ];
}
