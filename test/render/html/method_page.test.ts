import { describe, expect, test } from "bun:test";
import { AGEING_SHARE, mergeEvidence, type Observation } from "#evidence";
import { formatCount, methodTextsOf, nameCountry, nameFamily, nameSource, reportTextsOf } from "#locale";
import { renderMethodPage } from "#render";
import { COVERED_KINDS, LANGUAGES, SCENARIOS, USAGE_TYPES } from "#report";
import {
  BAND_THRESHOLDS,
  CONFIDENCE_THRESHOLDS,
  CRITICAL_LISTING_COST,
  describeMethod,
  FACTOR_IDS,
  FORGOTTEN_DAYS,
  HALF_LIFE_DAYS,
  LEVEL_THRESHOLDS,
  LONE_SHARE,
  RANGE_KINDS,
  RANGE_POINTS,
  RULES,
  SCENARIO_TABLES,
  SCORING_VERSIONS,
  SUBNET_SHARE,
  score,
  USE_REGIONS,
  WEIGHTS,
  type Weight,
} from "#scoring";
import { SOURCES } from "#sources";
import { makeSurvey } from "../../scoring/surveys.ts";

const ORIGIN = "https://limpid.example";
const method = describeMethod(SOURCES);

/** The text of a table row, without tags. */
function rowOf(page: string, start: string): string {
  const from = page.indexOf(start);
  expect(from, start).toBeGreaterThanOrEqual(0);
  return textOf(page.slice(from, page.indexOf("</tr>", from)));
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}

const figures = (text: string) => (text.replaceAll(",", "").match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
const escaped = (text: string) => textOf(Bun.escapeHTML(text));

describe.each([...LANGUAGES])("renderMethodPage() in %s", (language) => {
  const page = renderMethodPage(method, language, ORIGIN);
  const text = textOf(page);
  const words = methodTextsOf(language);
  const texts = reportTextsOf(language);

  const caps = FACTOR_IDS.filter((id) => id.endsWith("_cap"));

  test.each(caps)("shows %s beside its category", (id) => {
    const [, head = ""] = page.split(`<div class="head" id="${id}">`);
    const { cap }: Weight = WEIGHTS[id];
    const category = id.replace("_cap", "") as keyof typeof texts.categories;
    expect(textOf(head)).toStartWith(` ${texts.categories[category]} ≤ ${cap} `);
  });

  const rules = FACTOR_IDS.filter((id) => !caps.includes(id));
  test.each(rules)("shows rule %s with every number of its weight", (id) => {
    const at = page.indexOf(`<div class="inside" id="${id}">`);
    expect(at, id).toBeGreaterThan(0);
    const row = textOf(page.slice(page.lastIndexOf("<details>", at), page.indexOf("</details>", at)));
    const rule = RULES.find((it) => it.id === id);
    expect(row).toContain(texts.factors[id]?.label ?? "?");
    const weight: Weight = WEIGHTS[id];
    const [head = "", inside = ""] = row.split(escaped(words.rules[id]));
    const { points = 0, floor, share } = weight;
    const inRow = [
      ...(floor === undefined ? [] : [words.floor(floor)]),
      ...(share === undefined ? [] : [`${share * 100}%`]),
      ...(points === 0 ? [] : [points < 0 ? `+${-points}` : `−${points}`]),
    ];
    // A special-purpose address has no score, so its points are not shown.
    if (rule?.category !== "special") for (const told of inRow) expect(head).toContain(told);
    const shown = figures(inside);
    const wanted = [
      ...(weight.steps ?? []).flatMap(({ from, points }, at, steps) => {
        const next = steps[at - 1]?.from ?? from + 1;
        return [...new Set([from, next - 1]), points];
      }),
      ...(weight.least === undefined ? [] : [weight.least]),
      ...(weight.counted === undefined
        ? []
        : [weight.counted.enough * 100, 50, weight.counted.least * 100, 0, weight.counted.most]),
    ];
    expect(shown).toEqual(wanted);
  });

  test("shows every band, level and bound", () => {
    for (const [band, from] of BAND_THRESHOLDS) expect(text).toContain(`${texts.bands[band]} ${from}–`);
    for (const [level, from] of LEVEL_THRESHOLDS) expect(text).toContain(`${texts.levels[level]} ${from}–`);
    expect(text).toMatch(/ 90–100 .* 70–89 .* 0–9 .* 85–100 .* 0–24 /);
    for (const bound of Object.values(method.maxScores)) expect(text).toContain(String(bound));
    expect(text).toContain(String(method.criticalListing));
    expect(method.criticalListing).toBe(CRITICAL_LISTING_COST);
  });

  test("shows every sentence of the method, with the numbers of the tables", () => {
    for (const group of ["lead", "weighing", "confidence", "range", "scenarios", "regions"] as const)
      for (const sentence of words[group](method)) expect(text).toContain(escaped(sentence));
    const { high, medium, core } = CONFIDENCE_THRESHOLDS;
    for (const share of [LONE_SHARE, SUBNET_SHARE, high, medium, AGEING_SHARE])
      expect(text).toContain(`${share * 100}%`);
    expect(words.confidence(method)[0]).toContain(
      core.map((id) => words.evidenceKinds[id]).join(words.comma),
    );
    expect(figures(words.weighing(method).join(" "))).toEqual(
      expect.arrayContaining([HALF_LIFE_DAYS, FORGOTTEN_DAYS]),
    );
  });

  test("shows the points that evidence which was not heard can deduct", () => {
    const card = page.slice(page.indexOf(`<h2 id="range">${words.rangeTitle}`));
    const names = { ...words.rangeKinds, ...texts.usages };
    for (const type of [...RANGE_KINDS, ...USAGE_TYPES]) {
      const row = rowOf(card, `<tr><th scope="row">${names[type]}</th>`);
      const { total, ...kinds } = RANGE_POINTS.purity[type];
      expect(figures(row), type).toEqual([...COVERED_KINDS.map((kind) => kinds[kind]), total]);
    }
  });

  test("shows the table of use cases, row by row", () => {
    const card = page.slice(page.indexOf(`<h2 id="uses">${words.usesTitle}`));
    const cells = (label: string) => rowOf(card, `<tr><th scope="row">${label}</th>`).slice(label.length + 1);
    const all = (pick: (table: (typeof SCENARIO_TABLES)["ai"]) => readonly number[]) =>
      SCENARIOS.flatMap((id) => [...pick(SCENARIO_TABLES[id])]);
    for (const type of USAGE_TYPES)
      expect(figures(cells(texts.usages[type])), type).toEqual(all((table) => [table.usage[type]]));
    for (const id of ["tor", "proxy", "vpn", "relay", "broadcast", "policy", "abuse", "shared"] as const)
      expect(figures(cells(words.readings[id])), id).toEqual(all((table) => [table[id]]));
    expect(figures(cells(words.readings.lists))).toEqual(all((table) => table.lists));
  });

  test("shows the regions of every vendor and their date", () => {
    for (const use of SCENARIOS) {
      for (const { name, asOf, url, unsupported, unclear } of USE_REGIONS[use] ?? []) {
        const list = (codes: readonly string[]) => codes.map((code) => nameCountry(code, language));
        const named = [unsupported, unclear].map((it) => list(it).join(words.comma) || words.none).join(" ");
        expect(text).toContain(escaped(`${name} ${texts.scenarios[use]} ${asOf} ${named}`));
        expect(page).toContain(`href="${url}"`);
      }
    }
  });

  test("shows how right the verdicts are, with dates and what cannot be measured", () => {
    const card = textOf(page.slice(page.indexOf('<h2 id="accuracy">')));
    const { date, measured, independent, hostNames } = method.accuracy;
    for (const told of [date, independent.date, escaped(words.notMeasurable)]) expect(card).toContain(told);
    expect(measured.rows).toBeGreaterThan(10_000);
    for (const { recall } of measured.flags.filter(({ recall }) => recall.of > 0))
      expect(card).toContain(`${Number((100 * recall.share).toFixed(1))}% (`);
    for (const share of [hostNames.all.right, hostNames.all.wrong, hostNames.newOperators.right])
      expect(card).toMatch(new RegExp(` ${share} ?%`));
    const items = words.independentItems;
    for (const { id, rows, tables } of method.accuracy.shipped)
      expect(card).toContain(`${items[id === "tor" ? "tor_shipped" : id]} ${formatCount(rows)} ${tables} `);
    const vpn = measured.flags.find(({ id }) => id === "vpn")?.recall ?? { of: 0, share: 0 };
    const outside = `${formatCount(vpn.of)} ${Number((100 * vpn.share).toFixed(1))}%`;
    expect(card).toContain(`${items.vpn_outside} ${outside} `);
    for (const { id, rows, tables, lists } of independent.rows)
      expect(card).toContain(escaped(`${items[id]} ${formatCount(rows)} ${tables} ${lists}`));
  });

  test("names every source and its family", () => {
    for (const { name, family } of SOURCES) {
      expect(text).toContain(escaped(nameSource(name, language)));
      expect(text).toContain(escaped(nameFamily(family, language)));
    }
  });

  test("links to each of its parts", () => {
    const ids = [...page.matchAll(/<li><a href="#([a-z]+)">/g)].map(([, id]) => id);
    expect(ids.length).toBe(11);
    for (const id of ids) expect(page.split(` id="${id}">`)).toHaveLength(2);
  });

  test("computes an example with the numbers of the rules", () => {
    const example = page.slice(page.indexOf('<table class="example">'), page.indexOf("</table>"));
    const { vpn, hosting, blocklists } = WEIGHTS;
    const listed = blocklists.steps.find(({ from }) => from === 1)?.points ?? 0;
    const points = [vpn.points, Math.round(hosting.points * LONE_SHARE * 2) / 2, listed];
    const shown = [...example.matchAll(/<td class="figure">−([\d.]+)<\/td>/g)].map(([, figure]) =>
      Number(figure),
    );
    expect(shown).toEqual(points);
    const purity = Math.round(100 - points.reduce((sum, each) => sum + each, 0));
    expect(example).toContain(`<strong>${purity}</strong>`);
    const [band] = BAND_THRESHOLDS.find(([, from]) => purity >= from) ?? [];
    expect(example).toContain(`<span class="band band-${band}">`);
  });

  test("shows for its example what the rules give for such an address", () => {
    const outcomes: Readonly<Record<string, Observation>> = {
      proxycheck: { flags: { isVpn: true }, usage: "hosting" },
      vpn_feed: { flags: { isVpn: true } },
      dronebl: { listings: [{ zone: "a", label: "a", listed: true, codes: [], meanings: ["abuse"] }] },
    };
    const { purity, confidence, range } = score(mergeEvidence(makeSurvey("81.2.69.10", outcomes)));
    expect(page).toContain(
      `<strong>${purity}</strong></td></tr></tbody></table>\n<p class="quiet">${words.exampleEnd}`,
    );
    expect([confidence, range.low, range.high]).toEqual(["high", purity, purity]);
  });

  test("draws a bar for each rule, as long as its points", () => {
    const withPoints = FACTOR_IDS.filter((id) => !("share" in WEIGHTS[id] || "counted" in WEIGHTS[id]));
    // A special-purpose address has no score, so its rule has no bar.
    expect(page.match(/<svg class="weight"/g)?.length).toBe(withPoints.length - 1 + 5);
    expect(page).toContain(`<rect class="off" x="0" width="${WEIGHTS.vpn.points}" height="8">`);
    expect(page).toContain(`<rect class="cap" x="0" width="${WEIGHTS.lists_cap.cap}" height="8">`);
  });

  test("shows every version of the rules, the current one first", () => {
    for (const { version, date, changes } of SCORING_VERSIONS) {
      expect(text).toContain(`${words.version(version)} ${date}`);
      for (const change of changes) expect(text).toContain(escaped(words.changes[change] ?? "?"));
    }
  });

  test("is a whole document without a script but the theme's, inline style or anything of third parties", () => {
    expect(page).toStartWith("<!DOCTYPE html>");
    expect(page).not.toMatch(
      /<script(?! type="application\/ld\+json"| src="\/static\/theme\.js")|style=|<link[^>]+https?:(?!\/\/limpid\.example)|undefined|NaN|\[object/,
    );
    expect(page).toContain(`<link rel="canonical" href="${ORIGIN}${language === "en" ? "/en" : ""}/method">`);
  });
});

test("both languages have the same numbers in every sentence", () => {
  const [zh, en] = [methodTextsOf("zh"), methodTextsOf("en")];
  for (const group of ["lead", "weighing", "scenarios", "regions", "confidence", "range"] as const) {
    const numbersOf = (sentences: readonly string[]) => sentences.map((text) => figures(text).toSorted());
    expect(numbersOf(en[group](method)), group).toEqual(numbersOf(zh[group](method)));
  }
});

test("English has no Chinese in it, and Chinese is Chinese", () => {
  const chinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
  const { changes, rules } = methodTextsOf("en");
  for (const words of Object.values({ ...changes, ...rules })) expect(words).not.toMatch(chinese);
  const other = methodTextsOf("zh");
  for (const words of Object.values({ ...other.changes, ...other.rules })) expect(words).toMatch(chinese);
});
