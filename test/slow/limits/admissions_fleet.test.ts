import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Sqld, startSqld } from "#kit";
import {
  askAll,
  first,
  openTestDatabase,
  repeat,
  say,
  type TestDatabase,
  until,
} from "../../limits/test_admissions.ts";

const START = Date.UTC(2026, 0, 15, 12);

let server: Sqld;
let databases: readonly [TestDatabase, TestDatabase];

beforeAll(async () => {
  server = await startSqld();
  databases = [await openTestDatabase(START, server.url), await openTestDatabase(START, server.url)];
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await server.close();
});

test("Admissions of two processes on one server admit exactly the limits, and go on while it is away", async () => {
  const [here, there] = [databases[0].openAdmissions(), databases[1].openAdmissions()];
  const processOf = (i: number) => (i % 2 === 0 ? here : there);
  const forward = (ms: number) => {
    for (const { clock } of databases) clock.advance(ms);
  };

  const day = await Promise.all(repeat(20, (i) => processOf(i).request(first("192.0.2.1"))));
  expect(
    day
      .filter((admission) => admission.admitted)
      .map((admission) => admission.remaining)
      .toSorted(),
  ).toEqual([0, 1, 2, 3, 4]);
  const site = await Promise.all(repeat(30, (i) => processOf(i).request(first(`198.51.100.${i}`))));
  expect(site.filter((admission) => admission.admitted).length).toBe(10);
  const verified = await Promise.all(repeat(30, (i) => processOf(i).request(first("192.0.2.2", `p${i}`))));
  expect(verified.filter((admission) => admission.admitted).length).toBe(10);

  const place = site.findIndex((admission) => admission.admitted);
  const returned = site[place];
  if (returned?.admitted === true) processOf(place).refund(returned);
  await until(() => here.repository.returned.length + there.repository.returned.length === 1);
  // The other process may have learned that the minute is full, and then believes it: ask the one that gave back.
  const giver = here.repository.returned.length === 1 ? here : there;
  expect(say(await giver.request(first("203.0.113.1")))).toBe("granted 4");
  expect(say(await giver.request(first("203.0.113.2")))).toBe("open_per_minute 5");

  await server.kill();
  forward(60_000);
  expect(
    await askAll(here, [...repeat(2, () => first("192.0.2.1")), ...repeat(2, () => first("192.0.2.3"))]),
  ).toEqual(["client_day 0", "client_day 0", "granted 4", "granted 3"]);
  expect(here.outages.length).toBe(1);

  await server.restart();
  forward(1000);
  // The two admissions of the outage are not added.
  expect(say(await here.request(first("192.0.2.3")))).toBe("granted 4");
  expect(here.recoveries.length).toBe(1);
  expect(say(await there.request(first("192.0.2.3")))).toBe("granted 3");
  expect(say(await there.request(first("192.0.2.1")))).toBe("client_day 0");
}, 60_000);
