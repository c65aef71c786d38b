import { describe, expect, test } from "bun:test";
import { reportTextsOf } from "#locale";
import type { Data } from "#report";

const zh = reportTextsOf("zh");
const en = reportTextsOf("en");

const figures = (text: string) => (text.match(/\d+/g) ?? []).sort();

function both(tell: (texts: typeof zh | typeof en) => string): readonly [string, string] {
  const spoken = [tell(zh), tell(en)] as const;
  expect(figures(spoken[1])).toEqual(figures(spoken[0]));
  expect(spoken[0]).toEndWith("。");
  expect(spoken[1]).toEndWith(".");
  expect(spoken.join()).not.toMatch(/undefined|\?| {2}/);
  return spoken;
}

describe("verdicts", () => {
  const data: Data = { sourcesAnswered: 3, sourcesAsked: 17 };

  test.each([
    ["tables", "没有任何实时来源应答", "No live source answered"],
    ["core", "代理识别与黑名单几乎没有查到", "hardly any on proxies or blocklists"],
    ["few", "置信度低", "confidence is low"],
  ])("say how little was heard: %s", (thin, chinese, english) => {
    const [inChinese, inEnglish] = both((texts) => texts.verdicts.hosting({ ...data, thin }));
    expect(inChinese).toContain(chinese);
    expect(inEnglish).toContain(english);
    expect(texts(data)).not.toContain(chinese);
  });

  const texts = (facts: Data) => zh.verdicts.hosting(facts);

  test("say when only one family reports it, or only the /64 is known", () => {
    const [, lone] = both((words) => words.verdicts.tor_exit({ ...data, lone: true }));
    expect(lone).toContain("Only 1 independent provider says so.");
    const [, near] = both((words) => words.verdicts.vpn({ ...data, subnet: true }));
    expect(near).toContain("Known only of the same /64 network.");
    const [, some] = both((words) => words.verdicts.listed({ ...data, listed: 4, answered: 9, near: 2 }));
    expect(some).toContain("Of these, 2 list only the same /64 network.");
  });

  test("give no count when no live source was asked", () => {
    const [, none] = both((words) => words.verdicts.unheard({ ...data, thin: "tables" }));
    expect(figures(none)).toEqual([]);
    const [, some] = both((words) => words.verdicts.unheard({ ...data, thin: "core" }));
    expect(figures(some)).toEqual(["17", "3"]);
  });
});

describe("factors", () => {
  test("say that an authority alone counts as two, and that a single list has no minimum risk", () => {
    const [, flag] = both((texts) =>
      say(texts, "tor_exit", { reporters: ["tor"], agreement: 2, authoritative: true }),
    );
    expect(flag).toContain("an authority, which alone counts as two");
    const [, list] = both((texts) => say(texts, "severe_listing", { lists: ["A"], lone: true }));
    expect(list).toContain("sets no minimum risk");
  });

  test("say what is known of the /64 only", () => {
    const [, flag] = both((texts) => say(texts, "vpn", { reporters: ["a"], agreement: 2, subnet: true }));
    expect(flag).toContain("same /64 network, so it counts half");
    const [, lists] = both((texts) =>
      say(texts, "blocklists", { lists: ["A", "B"], listed: 2, answered: 7, near: ["B"] }),
    );
    expect(lists).toContain("Of these only the same /64 network is listed, which counts half, by: B.");
  });

  test("say how old a report is and how many points it had", () => {
    const [, old] = both((texts) =>
      say(texts, "abuse_score", { sources: ["A"], score: 80, full: 30, points: 11, ageDays: 21 }),
    );
    expect(old).toContain("The record is 21 days old, so it costs 11 points instead of 30.");
    const [, one] = both((texts) =>
      say(texts, "attack_history", { sources: ["A", "B"], total: 5, full: 3, points: 2.9, ageDays: 1 }),
    );
    expect(one).toContain("The record that costs most is 1 day old");
  });

  function say(texts: typeof zh | typeof en, id: keyof typeof zh.factors, data: Data): string {
    return texts.factors[id]?.detail(data) ?? "?";
  }
});
