import type { Report } from "#report";

/** A credit line that the terms of a data publisher require. */
export interface Credit {
  readonly text: string;
  readonly url: string;
}

/** Sources that require a credit line, by their names in the report. */
const CREDITS: readonly { readonly names: readonly string[]; readonly credit: Credit }[] = [
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

/** Lists the credits that a report must show. `location` is the credit of DB-IP in the language of the report. */
export function listCredits(report: Report, location: string): readonly Credit[] {
  const answered = (names: readonly string[]) =>
    report.sources.some((source) => source.ok && names.includes(source.name));
  return [
    ...(report.geo === undefined && report.asn === undefined
      ? []
      : [{ text: location, url: "https://db-ip.com" }]),
    ...CREDITS.filter(({ names }) => answered(names)).map(({ credit }) => credit),
  ];
}
