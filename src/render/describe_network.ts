import { nameCountry, type PartialTexts } from "#locale";
import type { Language, Report } from "#report";

/** A label and what stands beside it. */
export type Field = readonly [label: string, value: string];

const RIR_NAMES: Readonly<Record<string, string>> = {
  arin: "ARIN",
  ripencc: "RIPE NCC",
  apnic: "APNIC",
  lacnic: "LACNIC",
  afrinic: "AFRINIC",
};

/** Where the address is, who announces it and who registered it, as fields; only what is known. */
export function describeNetwork(report: Report, texts: PartialTexts, language: Language): readonly Field[] {
  const { geo, asn, registry } = report;
  const words = texts.headings;
  const named = (code: string | undefined, name: string | undefined) =>
    code === undefined || name === undefined || name === code ? (name ?? code) : `${name} (${code})`;
  const rir = registry?.rir;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [words.country, named(geo?.country, geo?.countryName)],
    [words.region, geo?.region],
    [words.city, geo?.city],
    [words.timezone, geo?.timezone],
    [words.asn, asn?.asn === undefined ? undefined : `AS${asn.asn}`],
    [words.asName, asn?.name],
    [words.org, asn?.org === asn?.name ? undefined : asn?.org],
    [words.route, asn?.route],
    [words.rir, rir !== undefined && Object.hasOwn(RIR_NAMES, rir) ? RIR_NAMES[rir] : rir],
    [
      words.registeredIn,
      named(registry?.country, registry?.country && nameCountry(registry.country, language)),
    ],
    [words.netName, registry?.netName],
    [words.registrant, registry?.org],
    [words.cidr, registry?.cidr],
  ];
  return rows.filter((row): row is Field => row[1] !== undefined && row[1] !== "");
}
