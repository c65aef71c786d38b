/** Surveys in which every text that a source may give is an attack, kept in a database that a process then serves. */
import { join } from "node:path";
import type { Observation, SourceRun, Survey } from "#evidence";
import { assess } from "#lookup";
import { openStore } from "#store";
import texts from "../../fixtures/attacks/texts.json";
import { fillSurvey } from "../../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../../scoring/archetypes.ts";

/** Part of every attack, so that a successful attack can be found; scripts of attacks call it. */
export const MARK = "pwn3d";

/** Texts that break out of text, attributes, scripts, comments, CDATA, Markdown, terminals, and lines. */
export const ATTACKS: readonly string[] = texts;

const DAY = "2026-01-15T12:00:00.000Z";

/** An attack in every text of an observation that passes the checks of the readers. */
function hostileWord(attack: string): Observation {
  return {
    geo: { country: "SE", region: attack, city: attack, timezone: attack },
    asn: { asn: 64_500, name: attack, org: attack, route: attack },
    registry: { rir: attack, country: attack, netName: attack, org: attack, cidr: attack },
    listings: [
      { zone: attack, label: attack, listed: true, codes: [attack, attack], meanings: ["abuse"] },
      { zone: `b ${attack}`, label: attack, listed: true, codes: [attack], meanings: ["unclassified"] },
    ],
    abuse: { score: 90, reports: 12, attacks: { [attack]: 3, [`x ${attack}`]: 4 }, lastSeen: DAY },
    exposure: { observed: true, ports: [22], vulns: [attack, `CVE-2026-0001${attack}`] },
    sharing: { address: 3, subnet: 9 },
    vpn: {
      name: attack,
      url: attack,
      anonymity: attack,
      popularity: attack,
      protocols: [attack, attack],
      logging: true,
      freeAccess: true,
    },
    infrastructure: { role: "crawler", operator: attack },
    reverse: { names: [attack, attack], crawler: attack },
    flags: { isVpn: true, isHosting: true, isProxy: true, isTor: true },
    dataDate: attack,
  };
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
    migrations: join(import.meta.dir, "../../../drizzle"),
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
