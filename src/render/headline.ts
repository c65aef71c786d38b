import type { HeadlineTexts, ReportPageTexts } from "#locale";
import { isAdjustment, type Report, type ReportFacts, readFacts } from "#report";

type Factor = Report["risk"]["factors"][number];

/** One short fact. `tone`: it costs many points, it costs a few, it speaks for the address, or none of these. */
export interface HeadlineFact {
  readonly text: string;
  readonly tone: "cost" | "minor" | "good" | "plain";
}

/** From these points on a fact is a cost, below it is a minor one. */
const COST_FROM = 15;
/** The summary says these in its own words. */
const UNTOLD: ReadonlySet<string> = new Set(["special", "coverage"]);
const MAX_FACTS = 5;
/** Facts in favour of the address fill the headline up to this number. */
const FILLED_FACTS = 4;

/** Lists the facts that carry the score, strongest first, then facts in favour of the address where there is room. */
export function listHeadline(report: Report, texts: ReportPageTexts): readonly HeadlineFact[] {
  const { factors } = report.risk;
  const facts = readFacts(report);
  const costs = joinAbuse(factors)
    .filter((factor) => factor.points > 0 && !UNTOLD.has(factor.category) && !isAdjustment(factor))
    .toSorted((a, b) => b.points - a.points)
    .map(
      (factor): HeadlineFact => ({
        text: nameFactor(factor, report, facts, texts.headline),
        tone: factor.points >= COST_FROM || factor.floor !== undefined ? "cost" : "minor",
      }),
    );
  const good = listMerits(report, facts, texts).map((text): HeadlineFact => ({ text, tone: "good" }));
  // Without a score the facts carry none.
  if (!facts.isScored)
    return costs.slice(0, FILLED_FACTS).map(({ text }): HeadlineFact => ({ text, tone: "plain" }));
  return [...costs.slice(0, MAX_FACTS), ...good.slice(0, Math.max(FILLED_FACTS - costs.length, 0))];
}

/** Joins the two factors of abuse, because a reader takes them as one fact. The attacks have a number, so they name it. */
function joinAbuse(factors: readonly Factor[]): readonly Factor[] {
  const abuse = factors.filter(({ id }) => id === "abuse_score" || id === "attack_history");
  const named = abuse.find(({ id }) => id === "attack_history");
  if (named === undefined || abuse.length < 2) return factors;
  const points = abuse.reduce((sum, factor) => sum + factor.points, 0);
  return [...factors.filter((factor) => !abuse.includes(factor)), { ...named, points }];
}

/** The words of each factor; a factor that is not here has its label. */
function nameFactor({ id, label }: Factor, report: Report, facts: ReportFacts, texts: HeadlineTexts): string {
  const names: Readonly<Partial<Record<string, string>>> = {
    tor_exit: texts.tor,
    proxy: texts.proxy,
    vpn: texts.vpn(report.vpnOperator?.name),
    relay: texts.relay,
    hosting: texts.hosting,
    broadcast: texts.broadcast,
    severe_listing: texts.severe,
    botnet_controller: texts.botnet,
    blocklists: texts.listed(facts.lists.listed.length),
    abuse_score: texts.reported,
    attack_history: texts.attacks(facts.attacks),
    exposed_vulnerabilities: texts.vulnerabilities(report.exposure?.vulns.length ?? 0),
    open_ports: texts.ports,
    shared_address: texts.shared(report.sharing?.address ?? 0),
    usage_unknown: texts.usageUnknown,
  };
  return Object.hasOwn(names, id) ? (names[id] ?? label) : label;
}

/** Lists what sources that answered say in favour of the address. What nobody answered does not count. */
function listMerits(report: Report, { lists }: ReportFacts, texts: ReportPageTexts): readonly string[] {
  const { usageType, nativeType, flags, sources } = report;
  const isExit = flags.isProxy || flags.isVpn || flags.isTor || flags.isRelay;
  const isDenied = sources.some(({ answer }) => answer?.flags?.isVpn === false);
  return [
    ...(usageType === "unknown" || usageType === "hosting" ? [] : [texts.usages[usageType]]),
    ...(nativeType === "native" ? [texts.natives.native] : []),
    ...(lists.notListed.length > 0 && lists.listed.length + lists.exit.length === 0
      ? [texts.headline.notListed(lists.notListed.length)]
      : []),
    ...(!isExit && isDenied ? [texts.headline.noExit] : []),
  ];
}
