/** A running service whose database has one report of every kind of page. */
import { join } from "node:path";
import type { Survey } from "#evidence";
import { MIGRATIONS, type RunningService, type TestSetup } from "#kit";
import { assess } from "#lookup";
import { openStore } from "#store";
import { type Filling, fillSurvey } from "../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";

const DAY_MS = 86_400_000;
const DAYS_AGO = 30;

/** The stored addresses, by what their pages show. */
export const STOCK = {
  clean: "81.2.69.10",
  bad: "81.2.69.66",
  stale: "81.2.69.77",
  failing: "81.2.69.88",
  /** The longest spelling of an address. */
  ipv6: "2a02:8010:64f2:a1b2:c3d4:e5f6:a7b8:c9d0",
  /** The longest names that a registry can have, without a place to break the line. */
  long: "81.2.69.99",
} as const;

const LONG_NAME =
  "GESELLSCHAFTFUERTELEKOMMUNIKATIONSDIENSTLEISTUNGEN-SUEDWESTFALEN-MBH-UND-CO-KOMMANDITGESELLSCHAFT";
const LONG_CHINESE = "中国移动通信集团广东有限公司深圳分公司互联网数据中心业务运营支撑部骨干网络接入节点";

const HOSTILE_NAME = `${LONG_NAME} ${LONG_CHINESE} <b>&amp;\u202e`;

function stocked(name: ArchetypeId, address: string, filling: Filling = "heard"): Survey {
  return { ...fillSurvey(ARCHETYPES[name], filling), address };
}

function withLongNames(survey: Survey): Survey {
  const runs = survey.runs.map((run) => {
    const { observation } = run;
    if (observation?.asn === undefined) return run;
    return {
      ...run,
      observation: {
        ...observation,
        asn: { ...observation.asn, name: LONG_NAME, org: HOSTILE_NAME },
        registry: { ...observation.registry, netName: LONG_NAME, org: LONG_CHINESE },
        geo: {
          ...observation.geo,
          country: "GB",
          region: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch",
          city: LONG_CHINESE,
          timezone: "America/Argentina/ComodRivadavia",
        },
      },
    };
  });
  return { ...survey, runs };
}

/** Adds a score by a source whose name is one long word. */
function withScore(survey: Survey): Survey {
  const runs = survey.runs.map(({ error: _, ...run }) =>
    run.id === "stopforumspam"
      ? { ...run, state: "answered" as const, observation: { abuse: { score: 83, reports: 12 } } }
      : run,
  );
  return { ...survey, runs };
}

/** Starts the service with these reports. */
export async function startStockedService(
  setup: TestSetup,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const dataDirectory = setup.makeFolder();
  const url = `file:${join(dataDirectory, "limpid.db")}`;
  const store = await openStore({ url, migrations: MIGRATIONS });
  const now = Date.now();
  async function keep(survey: Survey, agoMs = 3_600_000): Promise<void> {
    const surveyedAt = now - agoMs;
    const dated: Survey = { ...survey, surveyedAt: new Date(surveyedAt).toISOString() };
    const heard = dated.runs.filter((run) => !run.local && ["answered", "empty"].includes(run.state));
    await store.save(
      { address: survey.address, surveyedAt, liveAnswers: heard.length, assessment: assess(dated) },
      JSON.stringify(dated),
    );
  }
  try {
    for (const [index, name] of (["home", "home", "vpn_hearsay", "cloud"] as const).entries()) {
      await keep(stocked(name, STOCK.bad), (DAYS_AGO - index * 6) * DAY_MS);
    }
    await keep(stocked("vpn_abused", STOCK.bad));
    await keep(stocked("home", STOCK.clean));
    await keep(stocked("cloud", STOCK.stale), DAYS_AGO * DAY_MS);
    await keep(withScore(stocked("vpn_no_operator", STOCK.failing, "failing")));
    await keep(stocked("cloud_ipv6", STOCK.ipv6));
    await keep(withLongNames(stocked("vpn_abused", STOCK.long)));
    for (const [scenario, count] of [
      ["ai", 3],
      ["streaming", 7],
    ] as const) {
      for (let voter = 0; voter < count; voter++) {
        const vote = { address: STOCK.bad, scenario, voter: `voter-${voter}`, rating: 1 + (voter % 3) };
        await store.ratings.saveVote({ ...vote, day: Math.floor(now / DAY_MS) });
      }
    }
  } finally {
    await store.close();
  }
  return setup.start(env, { dataDirectory });
}
