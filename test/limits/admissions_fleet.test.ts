import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Sqld, startSqld } from "#kit";
import { askAll, clientOf, first, type Office, openOffice, repeat, say, until } from "./desk.ts";

const START = Date.UTC(2026, 0, 15, 12);

let server: Sqld;
let offices: readonly [Office, Office];

beforeAll(async () => {
  server = await startSqld();
  offices = [await openOffice(START, server.url), await openOffice(START, server.url)];
});

afterAll(async () => {
  for (const office of offices) await office.close();
  await server.close();
});

test("Admissions of two processes on one server admit exactly the limits, and go on while it is away", async () => {
  const [here, there] = [offices[0].openDesk(), offices[1].openDesk()];
  const deskOf = (i: number) => (i % 2 === 0 ? here : there);
  const forward = (ms: number) => {
    for (const { clock } of offices) clock.advance(ms);
  };

  const day = await Promise.all(repeat(20, (i) => deskOf(i).request(first("192.0.2.1"))));
  expect(
    day
      .filter((leave) => leave.admitted)
      .map((leave) => leave.remaining)
      .toSorted(),
  ).toEqual([0, 1, 2, 3, 4]);
  const site = await Promise.all(repeat(30, (i) => deskOf(i).request(first(`198.51.100.${i}`))));
  expect(site.filter((leave) => leave.admitted).length).toBe(10);
  const verified = await Promise.all(repeat(30, (i) => deskOf(i).request(first("192.0.2.2", `p${i}`))));
  expect(verified.filter((leave) => leave.admitted).length).toBe(10);

  const place = site.findIndex((leave) => leave.admitted);
  const returned = site[place];
  if (returned?.admitted === true) deskOf(place).refund(returned);
  await until(() => here.book.returned.length + there.book.returned.length === 1);
  // The other process may have learned that the minute is full, and then believes it: ask the one that gave back.
  const giver = here.book.returned.length === 1 ? here : there;
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
  expect(say(await here.request(first("192.0.2.3")))).toBe("granted 2");
  await until(() => here.recoveries.length === 1);
  expect(await there.remaining(clientOf("192.0.2.3"))).toBe(2);
  expect(say(await there.request(first("192.0.2.3")))).toBe("granted 1");
  expect(say(await there.request(first("192.0.2.1")))).toBe("client_day 0");
}, 60_000);
