import { percentOf } from "#common";
import type { Accuracy, Method, MethodAccuracy, MethodRule, Share, SourceKind } from "#report";
import type { FactorId } from "#scoring";
import en from "./en/method.json" with { type: "json" };
import { fill, fillersOf, forLanguages, formatCount, type Values } from "./fill.ts";
import zh from "./zh/method.json" with { type: "json" };

/** Rows of the table of use cases, beside the usage types. */
export type MethodReading = keyof (typeof en)["readings"];

/** What has a text, by id. */
interface Names {
  /** What the rule looks at. */
  readonly rules: Readonly<Record<FactorId, string>>;
  readonly measures: Readonly<Partial<Record<FactorId, string>>>;
  /** What a rule without points of its own changes, in a few words. */
  readonly effects: Readonly<Partial<Record<string, string>>>;
  readonly changes: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<SourceKind, string>>;
  readonly evidenceKinds: Readonly<Record<string, string>>;
  /** What a measured share says, by part of the measurement and the id in it. */
  readonly measuredItems: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By id of an independent figure. */
  readonly independentItems: Readonly<Record<string, string>>;
}

/** Texts of the page that documents the scoring method. Every number comes from the method itself. */
export type MethodTexts = ReturnType<typeof makeMethodTexts>;

/** Returns the texts of the page that documents the scoring method. */
export const methodTextsOf = forLanguages(en, zh, makeMethodTexts);

function makeMethodTexts(texts: typeof en & Names) {
  const paragraphs = (group: readonly string[]) => (method: Method) => {
    const core = method.confidence.core.map((id) => texts.evidenceKinds[id] ?? id).join(texts.comma);
    return group.map((text) => fill(text, { ...valuesOf(method), core }));
  };
  /** The row of a share: its item, how many were tested, and the share with its 95 % interval. None of a share of nothing. */
  const drawShare = (part: string, id: string | number, { of, share, low, high }: Share) => {
    const percent = (value: number) => Number((100 * value).toFixed(1));
    const interval = `${percent(share)}% (${percent(low)}–${percent(high)})`;
    const told = percent(high) === 0 ? texts.rare : interval;
    return of === 0 ? [] : [[texts.measuredItems[part]?.[id] ?? String(id), formatCount(of), told]];
  };
  return {
    ...texts,
    ...fillersOf(texts, ["version", "points", "pointsBack", "floor", "cap", "least"]),
    effect: ({ id, counted }: MethodRule) =>
      fill(texts.effects[id] ?? "", counted === undefined ? {} : exampleOf(counted)),
    share: (share: number) => fill(texts.share, { share: percentOf(share) }),
    counted: ({ least, enough, most }: NonNullable<MethodRule["counted"]>) =>
      fill(texts.counted, { least: percentOf(least), enough: percentOf(enough), most }),
    /** From which amount on a step of a rule counts; with `next`, up to the step that begins there, without the unit. */
    amount: (id: string, from: number, next?: number) =>
      next === undefined
        ? fill(texts.measures[id as FactorId] ?? "{from}", { from: formatCount(from) })
        : [...new Set([from, next - 1])].map(formatCount).join("–"),
    step: (amount: string, points: number) => fill(texts.step, { amount, points }),
    exampleLone: (points: number, share: number) =>
      fill(texts.exampleWhy.lone, { points, share: percentOf(share) }),
    lead: paragraphs(texts.lead),
    weighing: paragraphs(texts.weighing),
    confidence: paragraphs(texts.confidence),
    range: paragraphs(texts.range),
    scenarios: paragraphs(texts.scenarios),
    regions: paragraphs(texts.regions),
    ownMeasurement: ({ date, version, measured }: MethodAccuracy) =>
      fill(texts.ownMeasurement, { date, version, rows: formatCount(measured.rows) }),
    ownShipped: ({ date, version }: MethodAccuracy) => fill(texts.ownShipped, { date, version }),
    measuredRows: ({ flags, types, bands, agreement }: Accuracy) => [
      ...(["recall", "precision", "alarms"] as const).flatMap((part) =>
        [...flags, ...types].flatMap((rate) => drawShare(part, rate.id, rate[part])),
      ),
      ...agreement.flatMap(({ sources, right }) => drawShare("agreement", sources, right)),
      ...bands.flatMap(({ band, bad }) => drawShare("bands", band, bad)),
    ],
    independent: ({ independent: { date, version } }: MethodAccuracy) =>
      fill(texts.independent, { date, version }),
    hostNames: ({ hostNames: { all, newOperators } }: MethodAccuracy) =>
      fill(texts.hostNames, {
        ...all,
        rows: formatCount(all.rows),
        newRight: newOperators.right,
        newWrong: newOperators.wrong,
      }),
    calibration: (error: number) => fill(texts.calibration, { error: error.toFixed(3) }),
  };
}

/** What a purity of 80 becomes with half of the coverage that is enough. */
function exampleOf({ least, enough, most }: NonNullable<MethodRule["counted"]>): Values {
  const kept = least + (1 - least) / 2;
  return {
    most,
    enough: percentOf(enough),
    half: percentOf(enough / 2),
    kept: percentOf(kept),
    reduced: Math.round(50 + 30 * kept),
  };
}

/** The numbers of the method that its paragraphs state. */
function valuesOf({ confidence, carried, ...method }: Method): Values {
  return {
    loneShare: percentOf(method.loneShare),
    subnetShare: percentOf(method.subnetShare),
    furtherList: percentOf(method.furtherList),
    halfLifeDays: method.halfLifeDays,
    forgottenDays: method.forgottenDays,
    carriedHalfLifeDays: carried.halfLifeDays,
    carriedDays: carried.days,
    high: percentOf(confidence.high),
    medium: percentOf(confidence.medium),
    ageing: percentOf(confidence.ageing),
    listsOneIn: confidence.listsOneIn,
    criticalListing: method.criticalListing,
    ...method.maxScores,
  };
}
