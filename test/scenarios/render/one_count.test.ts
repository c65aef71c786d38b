/** Random rich reports show the same counts, names and flags in every format and language. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { capitalize, cardTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import { assess } from "#lookup";
import {
  renderBadge,
  renderBriefComparison,
  renderBriefReport,
  renderComparePage,
  renderComparison,
  renderHomePage,
  renderLine,
  renderMarkdown,
  renderReportCard,
  renderReportPage,
  renderScreen,
  renderStix,
  renderTerminal,
  renderText,
} from "#render";
import { type Assessment, FLAGS, type Language, LIST_STATES, type Report } from "#report";
import { runs } from "../../kit/runs.ts";
import { fullReport, reportOf } from "../../render/full_reports.ts";
import { decodeEntities, textOfPage } from "../../render/read_page.ts";
import { arbitrarySurvey } from "../../scoring/arbitrary_survey.ts";

/** Assessments of random surveys. The name of each source begins with the name of its family. */
const assessments = arbitrarySurvey.map((survey) =>
  assess({ ...survey, runs: survey.runs.map((run) => ({ ...run, name: `${run.family} ${run.id}` })) }),
);

/** Removes what line breaks, columns and markup add. */
const squash = (text: string) => text.replaceAll(/[\s\\]+/g, "");
const textOfSvg = (svg: string) => decodeEntities(svg.replaceAll(/<[^>]*>/g, " "));

/** Finds the numbers in a text that `phrase` words: `phrase(98765)` is the pattern. */
function numbersIn(text: string, phrase: (number: number) => string): number[] {
  const escaped = squash(phrase(98765)).replaceAll(/[.*+?^${}()|[\]]/g, "\\$&");
  return [...squash(text).matchAll(new RegExp(escaped.replace(/98,?765/, "([\\d,]+)"), "g"))].map(
    ([, number = ""]) => Number(number.replaceAll(",", "")),
  );
}

/** The whole formats of a report, as text. */
function renderAll(report: Report): Record<"text" | "terminal" | "markdown" | "page" | "stix", string> {
  return {
    text: renderText(report),
    terminal: renderTerminal(report, { colour: false }),
    markdown: renderMarkdown(report),
    page: textOfPage(renderReportPage(report)),
    stix: (JSON.parse(renderStix(report)) as { objects: { content?: string }[] }).objects
      .map(({ content }) => content ?? "")
      .join("\n"),
  };
}

/** The numbers in the facts of the headline of a page that `phrase` words. */
function numbersInHeadline(page: string, phrase: (number: number) => string): number[] {
  const items = [...(/<ul class="headline">.*?<\/ul>/s.exec(page)?.[0] ?? "").matchAll(/<li.*?<\/li>/gs)];
  return items.flatMap(([item]) => {
    const fact = squash(textOfPage(item));
    return numbersIn(fact, phrase).filter((number) => squash(phrase(number)) === fact);
  });
}

const check = (property: (assessment: Assessment, report: Report, language: Language) => void) => {
  for (const language of ["zh", "en"] as const)
    fc.assert(
      fc.property(assessments, (assessment) =>
        property(assessment, reportOf(assessment, language), language),
      ),
      { numRuns: runs(100), includeErrorInReport: true },
    );
};

test("100 minus all points is the purity, in JSON and in every list of deductions", () => {
  check((_, report, language) => {
    const { factors, purity } = report.risk;
    expect(100 - factors.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(purity, 6);
    // The line of the bounds only takes away what is above 100: no relief gives back what nothing deducted.
    expect(factors.find(({ id }) => id === "bounds")?.points ?? 0).toBeLessThanOrEqual(0);
    const { bounds, floor, rounding } = reportTextsOf(language).factors;
    for (const text of Object.values(renderAll(report)).slice(0, 4))
      for (const { label } of [bounds, floor, rounding])
        if (factors.some((factor) => factor.label === label) && report.scenarioApplicable)
          expect(squash(text)).toContain(squash(label));
  });
});

/** Every format of a report as it is sent, without the JSON in the page. */
function renderEach(report: Report, language: Language): Record<string, string> {
  const brief = { report, missing: [], openLeft: 1, most: 100 };
  const compared = [{ ip: report.ip, report, failed: [] }];
  return {
    text: renderText(report),
    terminal: renderTerminal(report, { colour: true }),
    screen: renderScreen(report, { colour: true }),
    line: renderLine(report),
    markdown: renderMarkdown(report),
    stix: renderAll(report).stix,
    badge: renderBadge(report),
    card: renderReportCard(report),
    page: renderReportPage(report).replaceAll(/<script[^>]*json"[^>]*>.*?<\/script>/gs, ""),
    compare: renderComparePage({ reports: [report, report], asked: [], language, problems: [] }),
    home: renderHomePage({
      language,
      origin: "https://limpid.example",
      address: report.ip,
      report,
      // The example that ships has a score.
      example: report.scenarioApplicable ? report : fullReport("home", language),
    }),
    brief: renderBriefReport(brief),
    comparison: renderComparison(compared, language),
    briefComparison: renderBriefComparison(compared, { language, unknowns: [], most: 100 }),
  };
}

test("a report of low confidence says so before the score in every format, and shows nothing as good", () => {
  check((_, random, language) => {
    if (!random.scenarioApplicable) return;
    const report: Report = {
      ...random,
      // A text of the breakdown must not be the one that says it.
      risk: { ...random.risk, purity: 97, level: "pristine", confidence: "low", factors: [] },
    };
    const { notEnough, labels } = reportTextsOf(language);
    const { line = "", ...formats } = renderEach(report, language);
    expect(line).toStartWith("not_enough_data:97 - ");
    for (const [name, sent] of Object.entries(formats)) {
      const text = squash(decodeEntities(sent.replaceAll(/<[^>]*>|\u001b\[[\d;]*m/g, " ")));
      const words = text.indexOf(squash(notEnough));
      expect(words, name).toBeGreaterThanOrEqual(0);
      expect(text, name).not.toContain(squash(labels.noFlags));
      const number = text.search(/(?<!\d)97(?!\d)/);
      expect(number, name).toBeGreaterThan(words);
      expect(sent, name).not.toMatch(
        /\u2605 ?<|class="[^"]*(?:won|band-(?:pristine|clean))|\u001b\[(?:1;)?32m/,
      );
    }
    expect(formats.page).toContain('<main id="main" class="thin">');
    for (const name of ["page", "home"]) expect(formats[name]).toContain('<p class="warning">');
    expect(formats.compare?.match(/<tr class="thin">/g)).toHaveLength(2);
    expect(formats.home).toContain('class="hero sample band-thin thin"');
    expect(formats.badge).not.toMatch(/#116329|#1a7f37/);
    expect(formats.card).not.toMatch(/#00544a|#436c00/);
  });
});

test("the lowest possible purity, and that age lowered the confidence, are in the same words in every format", () => {
  for (const language of ["zh", "en"] as const) {
    const report = fullReport("vpn", language);
    const risk = { ...report.risk, purity: 16, confidence: "medium" as const, range: { low: 0, high: 16 } };
    const { text, terminal, markdown, page, stix } = renderAll({ ...report, stale: true, risk });
    const screen = renderScreen({ ...report, stale: true, risk }, { colour: false });
    for (const shown of [text, terminal, markdown, page, stix, screen]) {
      expect(shown).toContain(reportTextsOf(language).asLowAs(0));
      expect(shown).toContain(reportPageTextsOf(language).aged);
    }
    const card = squash(textOfSvg(renderReportCard({ ...report, risk })));
    expect(card).toContain(squash(capitalize(cardTextsOf(language).asLowAs(0))));
  }
});

test("of an address that is not anyone's exit, no format depends on the score", () => {
  check((_, random, language) => {
    const unscored: Report = { ...random, scenarioApplicable: false, scenarioNote: "x" };
    const { purity: _purity, range: _range, ...risk } = random.risk;
    const withScore = (score: number, level: Report["risk"]["level"], label: string) =>
      renderEach(
        {
          ...unscored,
          risk: { ...risk, purity: score, level, label, range: { low: score - 2, high: score } },
        },
        language,
      );
    expect(withScore(97, "pristine", "one")).toEqual(withScore(3, "dangerous", "two"));
    const flags = { ...random.flags, isProxy: false, isVpn: false, isTor: false, isBogon: false };
    const thin = { ...unscored, flags, risk: { ...random.risk, confidence: "low" as const } };
    const none = squash(reportTextsOf(language).labels.noFlags).slice(1);
    for (const [name, sent] of Object.entries(renderEach(thin, language)))
      if (name !== "home") expect(squash(sent), name).not.toContain(none);
  });
});

test("blocklists are counted once", () => {
  check((assessment, report, language) => {
    const texts = reportTextsOf(language);
    const { listings } = assessment;
    const accusing = listings.filter((one) => one.listed && !one.benign && one.countedAs === undefined);
    const counts = {
      listed: accusing.length,
      exit: listings.filter((one) => one.listed && one.countedAs !== undefined).length,
      benign: listings.filter(({ benign }) => benign).length,
      unavailable: listings.filter(({ unavailable }) => unavailable).length,
      notListed: listings.filter(({ listed, unavailable }) => !listed && !unavailable).length,
    };
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(listings.length);
    const sentence = squash(texts.listCount(counts));
    const { stix: _, page, ...plain } = renderAll(report);
    const isCounted = (text: string) => listings.length === 0 || squash(text).includes(sentence);
    expect(Object.values(plain).filter((text) => !isCounted(text))).toEqual([]);
    if (report.flags.isBogon) return;
    expect(isCounted(renderScreen(report, { colour: false }))).toBe(true);
    // The page has each count in the title of its group.
    const groups = LIST_STATES.filter((state) => counts[state] > 0);
    for (const state of groups) expect(squash(page)).toContain(squash(texts.labels[state] + counts[state]));

    const { headline, lists } = reportPageTextsOf(language);
    const html = renderReportPage(report);
    for (const number of numbersInHeadline(html, headline.listed)) expect(number).toBe(counts.listed);
    for (const number of numbersInHeadline(html, headline.notListed))
      expect([number, counts.unavailable]).toEqual([counts.notListed, 0]);
    for (const number of numbersInHeadline(html, headline.policy)) expect(number).toBe(counts.benign);
    const answered = listings.length - counts.unavailable - counts.benign;
    const row = html.split("<tr>").find((part) => part.includes(`<th scope="row">${lists(answered)}</th>`));
    if (row !== undefined && answered > 0) expect(textOfPage(row)).toEndWith(` ${counts.listed} `);
    if (answered > 0)
      expect(
        squash(textOfPage(renderComparePage({ reports: [report], asked: [], language, problems: [] }))),
      ).toContain(squash(`${counts.listed} / ${answered}`));
    const card = squash(textOfSvg(renderReportCard(report)));
    // Where the verdict leaves little room, the card cuts the line behind its first count, and marks the cut.
    const firstCount = sentence.search(/[,，]|$/);
    const cuts = [...sentence].map((_, end) => `${sentence.slice(0, end)}…`).slice(firstCount);
    const shown = [sentence, ...cuts].find((kept) => card.includes(kept));
    if (listings.length > 0) expect(shown, card).toBeDefined();
    for (const { label } of accusing) expect(squash(renderMarkdown(report))).toContain(squash(label));
    const brief = renderBriefReport({ report, missing: [], openLeft: 1, most: 100 });
    const names = accusing.map(({ label }) => label).join(language === "en" ? ", " : "、");
    if (accusing.length > 0) expect(squash(brief)).toContain(squash(names));
    const compared = renderComparison([{ ip: report.ip, report, failed: [] }], language);
    if (accusing.length > 0) expect(squash(compared)).toContain(squash(names));
  });
});

test("the verdict, the note and the list of sources count the same sources", () => {
  check((assessment, report, language) => {
    const count = (one: string) => assessment.sources.filter(({ state }) => state === one).length;
    const [found, foundNothing] = [count("answered"), count("empty")];
    const [answered, failed, skipped] = [found + foundNothing, count("failed"), count("skipped")];
    const texts = reportTextsOf(language);
    const counts = { found, foundNothing, answered, failed, pending: 0, absent: 0, skipped };
    const sentence = squash(texts.sourceCount(counts));
    const { page, ...others } = renderAll(report);
    const screen = report.flags.isBogon ? [] : [renderScreen(report, { colour: false })];
    for (const text of [...Object.values(others), ...screen]) expect(squash(text)).toContain(sentence);
    const [first, second] = (/(\d+) of (\d+) sources? answered/.exec(report.risk.verdict) ?? []).slice(1);
    const [asked, heard] = (/查询的 (\d+) 个来源中 (\d+) 个有应答/.exec(report.risk.verdict) ?? []).slice(1);
    const [all] = (
      /(?:All|查询的) (\d+) (?:sources answered|个来源全部应答)/.exec(report.risk.verdict) ?? []
    ).slice(1);
    if (all !== undefined) expect([answered, failed]).toEqual([Number(all), 0]);
    if (first !== undefined) expect([first, second].map(Number)).toEqual([answered, answered + failed]);
    if (asked !== undefined) expect([heard, asked].map(Number)).toEqual([answered, answered + failed]);
    if (report.flags.isBogon) return;
    const { sourceStates } = texts;
    const shown = (state: keyof typeof sourceStates) =>
      numbersIn(page, (number) => `${sourceStates[state]} ${number}`).at(-1) ?? 0;
    expect([shown("answered"), shown("foundNothing")]).toEqual([found, foundNothing]);
    expect(shown("failed") + shown("pending")).toBe(failed);
    expect(shown("skipped")).toBe(skipped);
  });
});

test("every flag that is set is in every format, with its agreement where there is room", () => {
  check((assessment, report, language) => {
    const texts = reportTextsOf(language);
    const set = FLAGS.filter((flag) => assessment.flags[flag]);
    const { page, ...formats } = renderAll(report);
    const screen = renderScreen(report, { colour: false });
    for (const flag of set) {
      const agreement = assessment.agreement[flag] ?? 0;
      const shown =
        agreement === 0 ? texts.flags[flag] : texts.withDetail(texts.flags[flag], texts.agreement(agreement));
      // The verdict of a special-purpose address says what it is.
      if (report.flags.isBogon) continue;
      for (const text of Object.values(formats)) expect(squash(text)).toContain(squash(shown));
      expect(squash(page)).toContain(squash(shown));
      if (set.length < 3) expect(squash(screen)).toContain(squash(shown));
    }
    expect(renderLine(report)).toMatch(set.length === 0 ? /flags:- / : /flags:[a-z]/);
    if (report.flags.isBogon) return;
    const words = cardTextsOf(language);
    const names = { ...words.flags, isMobile: words.usages.mobile, isBogon: words.special };
    const card = squash(textOfSvg(renderReportCard(report)));
    // A long row of a card is cut, and ends with dots.
    const operator = report.vpnOperator?.name;
    const vpn = operator === undefined ? names.isVpn : texts.withDetail(names.isVpn, operator);
    // The type of the network is in the headline.
    const { usages } = reportPageTextsOf(language);
    const { usageType } = report;
    const told = usageType === "hosting" ? "isHosting" : usageType === "mobile" ? "isMobile" : undefined;
    if (told !== undefined && report.scenarioApplicable) expect(card).toContain(squash(usages[usageType]));
    const others = set.filter((flag) => flag !== told).map((flag) => (flag === "isVpn" ? vpn : names[flag]));
    const row = squash(texts.joinItems(others));
    expect(card).toContain(row.length < 12 ? row : row.slice(0, 12));
    const compare = squash(
      textOfPage(renderComparePage({ reports: [report], asked: [], language, problems: [] })),
    );
    for (const flag of set)
      if (flag !== "isHosting" && flag !== "isMobile") expect(compare).toContain(squash(texts.flags[flag]));
  });
});

test("attacks, scores and reporters are those of the abuse records and of the sources", () => {
  check((assessment, report, language) => {
    const detailOf = (id: string) => report.risk.factors.find((factor) => factor.id === id)?.detail;
    const most = Math.max(0, ...assessment.abuse.map(({ attacks }) => attacks?.total ?? 0));
    const attacks = detailOf("attack_history");
    if (attacks !== undefined) {
      expect(attacks).toMatch(new RegExp(`(^|\\D)${most.toLocaleString("en-US")} (attack|次)`));
      const { headline } = reportPageTextsOf(language);
      for (const number of numbersInHeadline(renderReportPage(report), headline.attacks))
        expect(number).toBe(most);
    }
    const score = detailOf("abuse_score");
    if (score !== undefined) {
      const highest = Math.max(...assessment.abuse.map((record) => record.score ?? 0));
      const whose = assessment.abuse.filter((record) => record.score === highest).map(({ source }) => source);
      expect(score).toContain(String(highest));
      const [, named = ""] = /(?:given by|出自) (.*?)[.。]/.exec(score) ?? [];
      expect(named.split(/, |、/)).toEqual(whose);
    }
    const sources = report.sources.map(({ name }) => name);
    for (const { id, detail } of report.risk.factors) {
      const [, reporters] = /(?:Reported by: |认定方：)(.*?)(?: \(\d|（\d|\.|。)/.exec(detail) ?? [];
      if (reporters === undefined || id === "residential_agreement") continue;
      for (const name of reporters.split(/, |、/)) {
        const isOwn = !sources.some((source) => source.startsWith(`${name} `));
        const isSilent = ["a", "b", "c", "d"].includes(name);
        expect(sources.includes(name) || isOwn || isSilent, `${id}: ${name}`).toBe(true);
      }
    }
  });
});

test("who says yes to a flag is a row above the verdict, and the caption counts the rows", () => {
  const columns = ["isProxy", "isVpn", "isTor", "isHosting"] as const;
  check((_, report, language) => {
    if (report.flags.isBogon) return;
    const page = renderReportPage(report);
    const [card = ""] = /<section class="card who">.*?<section class="card/s.exec(page) ?? [];
    const rows = [...card.matchAll(/<tr><th scope="row"><bdi>.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<td class="(\w+)">/g)].map(([, style]) => style),
    );
    const { matrixLead, voices } = reportPageTextsOf(language);
    if (rows.length > 0) expect(squash(card)).toContain(squash(matrixLead(voices(rows.length))));
    for (const [index, flag] of columns.entries()) {
      const yes = rows.filter((row) => row[index + 2] === "yes").length;
      // An authority alone counts as two.
      if (report.flags[flag])
        expect(yes).toBeGreaterThanOrEqual(Math.max((report.flagAgreement[flag] ?? 1) - 1, 1));
      // What differs from the verdict has a style of its own.
      expect(rows.map((row) => row[index + 2])).not.toContain(report.flags[flag] ? "no" : "yes");
    }
  });
});
