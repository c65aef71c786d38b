/** Surveys in which every text that a source may give is an attack, kept in a database that a process then serves. */
import { join } from "node:path";
import type { Observation, SourceRun, Survey } from "#evidence";
import { MIGRATIONS } from "#kit";
import { assess } from "#lookup";
import { openStore } from "#store";
import WORD from "../../fixtures/attacks/observation.json";
import texts from "../../fixtures/attacks/texts.json";
import { fillSurvey } from "../../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../../scoring/archetypes.ts";

/** Part of every attack, so that a successful attack can be found; scripts of attacks call it. */
export const MARK = "pwn3d";

/** Texts that break out of text, attributes, scripts, comments, CDATA, Markdown, terminals, and lines. */
export const ATTACKS: readonly string[] = texts;

/** An attack in every text of an observation that passes the checks of the readers. */
function hostileWord(attack: string): Observation {
  return JSON.parse(JSON.stringify(WORD).replaceAll("ATTACK", JSON.stringify(attack).slice(1, -1)));
}

function hostileRun(run: SourceRun, attack: string): SourceRun {
  return {
    ...run,
    name: `${run.name} ${attack}`,
    family: `${run.family} ${attack}`,
    ...(run.zone === undefined ? {} : { zone: { id: run.zone.id, label: attack } }),
    ...(run.state === "failed" ? { detail: attack } : {}),
    ...(run.observation === undefined ? {} : { observation: { ...run.observation, ...hostileWord(attack) } }),
  };
}

/** A survey with the attack in every text field. */
export function hostileSurvey(address: string, attack: string, kind: ArchetypeId = "vpn_abused"): Survey {
  const survey = fillSurvey(ARCHETYPES[kind], "failing");
  return { ...survey, address, runs: survey.runs.map((run) => hostileRun(run, attack)) };
}

/** The address of the report with the attack of this number. */
export function addressOfAttack(index: number): string {
  return `81.2.69.${index + 1}`;
}

/** Keeps one report for each attack, as if it had come from the sources an hour ago. */
export async function stockAttacks(dataDirectory: string): Promise<void> {
  const store = await openStore({
    url: `file:${join(dataDirectory, "limpid.db")}`,
    migrations: MIGRATIONS,
  });
  const surveyedAt = Date.now() - 3_600_000;
  try {
    for (const [index, attack] of ATTACKS.entries()) {
      const address = addressOfAttack(index);
      const survey: Survey = {
        ...hostileSurvey(address, attack),
        surveyedAt: new Date(surveyedAt).toISOString(),
      };
      await store.save(
        { address, surveyedAt, liveAnswers: 20, assessment: assess(survey) },
        JSON.stringify(survey),
      );
    }
  } finally {
    await store.close();
  }
}
