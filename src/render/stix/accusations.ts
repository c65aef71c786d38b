import type { Flag, Report } from "#report";
import { sanitize } from "../characters.ts";
import { webLinkOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";

type Factor = Report["risk"]["factors"][number];

/** A reference to a source outside the bundle (STIX 2.1, 2.5): a name, and at least one of the others. */
export interface ExternalReference {
  readonly source_name: string;
  readonly description?: string;
  readonly url?: string;
  readonly external_id?: string;
}

/** Values of the open vocabulary `indicator-type-ov` (STIX 2.1, 10.8) by category of a deduction. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  anonymity: "anonymization",
  lists: "malicious-activity",
  abuse: "malicious-activity",
};

/** Deductions that accuse nobody: a privacy relay has many ordinary users. */
const HARMLESS: ReadonlySet<string> = new Set(["relay"]);

/** Flags whose reporters are named. */
const EXITS = ["isTor", "isProxy", "isVpn"] as const satisfies readonly Flag[];

/**
 * Lists the deductions for exits, blocklists and abuse. Without any, nobody accuses the address. The
 * network, the use and the country of an address accuse nobody, and neither does a source that failed. An address in the
 * bands `pristine` and `clean` is not accused.
 */
export function listAccusations({ risk, scenarioApplicable }: Report): readonly Factor[] {
  if (risk.level === "pristine" || risk.level === "clean" || !scenarioApplicable) return [];
  return risk.factors.filter(
    ({ id, category, points }) => points > 0 && Object.hasOwn(TYPES, category) && !HARMLESS.has(id),
  );
}

/** The values of `indicator_types` for these deductions. */
export function typesOf(factors: readonly Factor[]): readonly string[] {
  return [...new Set(factors.flatMap(({ category }) => TYPES[category] ?? []))];
}

/** The report, and the sources and lists that accuse the address. */
export function listReferences({ report, texts }: ReportContext): readonly ExternalReference[] {
  const { ip, reportUrl, sources, blocklists, abuse } = report;
  const { labels, flags, joinItems } = texts;
  const found = new Map<string, ExternalReference>();
  const address = sanitize(ip);
  const add = (name: string, rest: Omit<ExternalReference, "source_name">) => {
    const source_name = sanitize(name);
    if (!found.has(source_name)) found.set(source_name, { source_name, ...rest });
  };
  for (const { zone, label, listed, benign } of blocklists)
    if (listed && !benign) add(label, { external_id: address, description: sanitize(zone) });
  for (const { source, score, reports } of abuse) {
    const counts = [
      ...(score === undefined ? [] : [`${labels.abuseScore} ${score}`]),
      ...(reports === undefined ? [] : [`${labels.reports} ${reports}`]),
    ];
    add(source, {
      external_id: address,
      description: joinItems(counts.length > 0 ? counts : [labels.abuse]),
    });
  }
  for (const { name, answer } of sources) {
    const exits = EXITS.filter((flag) => answer?.flags?.[flag] === true);
    if (exits.length > 0)
      add(name, { external_id: address, description: joinItems(exits.map((flag) => flags[flag])) });
  }
  const url = webLinkOf(reportUrl);
  return [...(url === undefined ? [] : [{ source_name: "limpid", url }]), ...found.values()];
}
