import { parseSurvey } from "#evidence";
import { MIGRATIONS, startService, startUpstreams } from "#kit";
import { openStore } from "#store";
import { assessSurvey } from "../../../src/lookup/known_reports.ts";

/** The address whose survey is copied. */
const SURVEYED = "8.9.0.9";

/**
 * Fills the database in a data folder with `count` reports. One address is really surveyed; the others are stored with
 * copies of its survey. Returns the addresses.
 */
export async function fillDatabase(dataDirectory: string, count: number): Promise<readonly string[]> {
  await surveyOne(dataDirectory);
  const store = await openStore({ url: `file:${dataDirectory}/limpid.db`, migrations: MIGRATIONS });
  const addresses = Array.from(
    { length: count },
    (_, n) => `8.${10 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`,
  );
  try {
    const read = await store.findSurvey(SURVEYED);
    for (const address of addresses) {
      const survey = parseSurvey((read ?? "").replaceAll(SURVEYED, address));
      if (survey === undefined) throw new Error(`Cannot copy the survey to ${address}`);
      await store.save({ address, ...assessSurvey(survey) }, JSON.stringify(survey));
    }
  } finally {
    await store.close();
  }
  return addresses;
}

async function surveyOne(dataDirectory: string): Promise<void> {
  const upstreams = await startUpstreams();
  const service = await startService({ dataDirectory, env: upstreams.env });
  try {
    const response = await fetch(`${service.url}/api/lookup?ip=${SURVEYED}`);
    if (response.status !== 200) throw new Error(`Cannot survey ${SURVEYED}: ${await response.text()}`);
    await service.stop();
  } finally {
    await service.close();
    await upstreams.close();
  }
}
