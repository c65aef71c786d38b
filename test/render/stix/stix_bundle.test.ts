import { describe, expect, test } from "bun:test";
import { renderStix } from "#render";
import { LANGUAGES, type Report } from "#report";
import { observableId } from "../../../src/render/stix/stix_bundle.ts";
import { TOR_EXIT } from "../../fixtures/assessments.ts";
import { ARCHETYPES, type ArchetypeId } from "../../scoring/archetypes.ts";
import { fullReport, reportOf } from "../full_reports.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { HOSTILE, hostileReport } from "../hostile_report.ts";
import { type CheckedObject, checkStix } from "./check_stix.ts";

// Object.keys() has the type string[].
const NAMES = Object.keys(ARCHETYPES) as ArchetypeId[];

const bundleOf = (report: Report) => checkStix(renderStix(report));
const only = (objects: readonly CheckedObject[], type: string) =>
  objects.filter((object) => object.type === type);

describe("renderStix()", () => {
  test("writes valid STIX 2.1 for every kind of address, in both languages, whatever failed", () => {
    for (const name of NAMES)
      for (const language of LANGUAGES)
        for (const filling of ["none", "heard", "failing"] as const)
          bundleOf(fullReport(name, language, filling));
    for (const name of GOLDEN_NAMES) bundleOf(goldenReport(name, "zh"));
  });

  test("of a Chinese report has no English words beside names, ids and URLs", () => {
    const report = { ...goldenReport("tor", "zh"), risk: fullReport("tor", "zh").risk };
    for (const { lang, description, content, abstract, external_references } of bundleOf(report)) {
      expect([undefined, "zh"]).toContain(lang as never);
      const references = (external_references ?? []) as readonly { readonly description?: string }[];
      const texts = [description, content, abstract, ...references.map((one) => one.description)];
      for (const text of texts.filter((one) => typeof one === "string"))
        expect(text.replaceAll(/https?:\S+/g, "")).not.toMatch(
          /\b(?:score|reports|abuse|is[A-Z]\w+|the|of)\b/,
        );
    }
  });

  test.each(["tor", "home_line_ipv6"] as const)("writes %s as in its golden file", (name) => {
    const text = renderStix(goldenReport(name, "en"));
    matchGoldenFormat(`${name}.en.stix.json`, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  });

  // The values that the OASIS library computes for the examples of the standard.
  test.each([
    ["ipv4-addr", { value: "198.51.100.3" }, "28bb3599-77cd-5a82-a950-b5bc3caf07c4"],
    ["autonomous-system", { number: 15139 }, "3aa27478-50b5-5ab8-9da9-cdc12b657fff"],
    ["ipv6-addr", { value: "2001:db8::1" }, "6469e3a9-b053-5e34-a025-9396ae051d26"],
  ] as const)("derives the id of an %s as every producer does", (type, contributing, uuid) => {
    expect(observableId(type, contributing)).toBe(`${type}--${uuid}`);
  });

  test("gives the same bundle for the same report, and other ids for other contents", () => {
    const report = goldenReport("tor", "en");
    expect(renderStix(report)).toBe(renderStix(structuredClone(report)));
    const idsOf = (changed: Report, type: string) => only(bundleOf(changed), type).map(({ id }) => id);
    const later = { ...report, queriedAt: "2027-01-02T03:04:05.678Z" };
    expect(idsOf(later, "indicator")).not.toEqual(idsOf(report, "indicator"));
    expect(idsOf(later, "ipv4-addr")).toEqual(idsOf(report, "ipv4-addr"));
    expect(idsOf(later, "identity")).toEqual(idsOf(report, "identity"));
    expect(renderStix({ ...report, source: "store" })).toBe(renderStix({ ...report, source: "fresh" }));
  });

  test("has an indicator exactly for an address that is accused and not clean", () => {
    const seen = { accused: 0, clean: 0 };
    for (const name of NAMES) {
      const report = fullReport(name, "en");
      const isClean = report.risk.level === "pristine" || report.risk.level === "clean";
      const accusing = report.risk.factors.filter(
        ({ id, category, points }) =>
          points > 0 && id !== "relay" && ["anonymity", "lists", "abuse"].includes(category),
      );
      const isAccused = !isClean && !report.flags.isBogon && accusing.length > 0;
      const objects = bundleOf(report);
      expect(only(objects, "indicator").length, name).toBe(isAccused ? 1 : 0);
      expect(only(objects, "observed-data").length, name).toBe(isAccused ? 1 : 0);
      seen[isAccused ? "accused" : "clean"] += 1;
    }
    expect(seen.accused).toBeGreaterThan(3);
    expect(seen.clean).toBeGreaterThan(3);
  });

  test("says in the indicator what is held against the address, how sure that is, and who says it", () => {
    const report = goldenReport("vpn_abused", "en");
    const [indicator] = only(bundleOf(report), "indicator");
    expect(indicator?.pattern).toBe(`[ipv4-addr:value = '${report.ip}']`);
    expect(indicator?.valid_from).toBe(new Date(report.queriedAt).toISOString());
    expect(indicator?.indicator_types).toContain("anonymization");
    expect(indicator?.confidence).toBe({ low: 15, medium: 50, high: 85 }[report.risk.confidence]);
    const references = indicator?.external_references as readonly Readonly<Record<string, string>>[];
    expect(references[0]).toEqual({ source_name: "limpid", url: report.reportUrl });
    const listed = report.blocklists.filter((list) => list.listed && !list.benign).map(({ label }) => label);
    const named = references.map(({ source_name }) => source_name);
    for (const label of listed) expect(named).toContain(label);
    for (const { source } of report.abuse) expect(named).toContain(source);
  });

  test("draws nothing from a failure: without any answer there is no indicator, and the note counts the failures", () => {
    const report = fullReport("home", "en", "failing");
    const objects = bundleOf(report);
    expect(only(objects, "indicator")).toEqual([]);
    const [note] = only(objects, "note");
    expect(String(note?.content)).toMatch(/\d+ answered \(.*?\), [1-9]\d* failed/);
    expect(String(note?.content)).toContain("that is not a clean result");
  });

  test("tells of special-purpose space only what it is for", () => {
    const objects = bundleOf(goldenReport("private", "en"));
    expect(objects.map(({ type }) => type)).toEqual(["identity", "ipv4-addr", "note", "note"]);
  });

  test("passes on what an address cannot show", () => {
    const report = goldenReport("home_line", "en");
    const notes = only(bundleOf(report), "note").map(({ content }) => String(content));
    for (const { label } of report.unknowns) expect(notes.some((note) => note.includes(label))).toBe(true);
  });

  test("cannot be broken by strings from outside", () => {
    for (const language of LANGUAGES) {
      const hostile = hostileReport(language);
      const report = { ...hostile, risk: { ...hostile.risk, level: "dangerous" as const } };
      const accused = {
        ...report,
        risk: {
          ...report.risk,
          factors: report.risk.factors.map((one) => ({ ...one, category: "lists", points: 9 })),
        },
      };
      const text = renderStix(accused);
      const objects = checkStix(text, false);
      expect(only(objects, "indicator").length).toBe(1);
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
      expect(JSON.parse(text).objects.length).toBe(objects.length);
      expect(text).not.toContain(JSON.stringify(HOSTILE).slice(1, -1));
    }
  });

  test("has a Tor exit of a stored report as an indicator", () => {
    const report = reportOf(TOR_EXIT, "en", { tier: "store", stale: true });
    expect(only(bundleOf(report), "indicator").length).toBe(1);
  });
});
