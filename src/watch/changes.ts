import { type Assessment, type ChangeType, decide, FLAGS, type Policy, readPolicyFacts } from "#report";

/** A proven change of an address. `what` is the list, the flag or the fact; `from` and `to` are its values. */
export interface Change {
  readonly type: ChangeType;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Lists what two assessments of an address say differently. A value that one of them does not know is not a change. */
export function compareAssessments(
  before: Assessment,
  after: Assessment,
  policy?: Policy,
): readonly Change[] {
  const changes: Change[] = [];
  const add = (type: ChangeType, what: string, from = "", to = "") => {
    if (from !== to) changes.push({ type, what, from, to });
  };
  const listed = { before: listedZones(before), after: listedZones(after) };
  for (const { zone, label } of after.listings) {
    if (listed.after.has(zone) && !listed.before.has(zone))
      add("address.listed", label, "not listed", "listed");
    if (listed.before.has(zone) && !listed.after.has(zone))
      add("address.delisted", label, "listed", "not listed");
  }
  // A list of an AS names no zone when the address left it.
  for (const { zone, label } of before.listings) {
    const isKnown = after.listings.some((one) => one.zone === zone);
    if (!isKnown && listed.before.has(zone)) add("address.delisted", label, "listed", "not listed");
  }
  for (const flag of FLAGS) {
    const [from, to] = [before.flags[flag], after.flags[flag]];
    add(to ? "address.flag_on" : "address.flag_off", flag, `${from}`, `${to}`);
  }
  if (before.usage !== "unknown" && after.usage !== "unknown")
    add("address.type_changed", "usageType", before.usage, after.usage);
  if (before.geo?.country !== undefined && after.geo?.country !== undefined)
    add("address.country_changed", "country", before.geo.country, after.geo.country);
  if (before.confidence !== "low" && after.confidence !== "low")
    add("address.band_changed", "level", before.band, after.band);
  if (policy !== undefined) {
    const [from, to] = [outcomeOf(before, policy), outcomeOf(after, policy)];
    if (from !== "UNKNOWN" && to !== "UNKNOWN") add("address.policy_changed", "policy", from, to);
  }
  return changes;
}

function listedZones({ listings }: Assessment): ReadonlySet<string> {
  return new Set(
    listings
      .filter(({ listed, benign, unavailable }) => listed && !benign && !unavailable)
      .map(({ zone }) => zone),
  );
}

/** Both sides have the same sources, and every difference is proven, so a missing source decides nothing here. */
function outcomeOf(assessment: Assessment, policy: Policy) {
  const facts = { ...assessment, ...readPolicyFacts(assessment) };
  return decide({ assessment: facts, isProven: true }, policy).outcome;
}
