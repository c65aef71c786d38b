import { formatCount, methodTextsOf } from "#locale";
import type { Share } from "#report";
import { describeMethod } from "#scoring";
import { fillDocument, type Row } from "./fill_document.ts";

/** What an address is called that has the word. */
const NAMES: Readonly<Record<string, string>> = {
  tor: "a Tor exit",
  vpn: "a VPN",
  proxy: "a proxy",
  relay: "a privacy relay",
  listed: "listed",
};

/** Writes the figures of the document on how often the verdicts are right. `/method` shows the same figures. */
export function writeAccuracy(): string {
  const texts = methodTextsOf("en");
  const { accuracy } = describeMethod([]);
  const { measured, sets, independent, shipped } = accuracy;
  const nameItem = (id: string) => texts.independentItems[id] ?? id;
  const drawRates = (part: "recall" | "precision" | "alarms", write: (id: string) => string) =>
    [...measured.flags, ...measured.types].flatMap((rate) => drawShare(write(rate.id), rate[part]));
  const call = (id: string) => NAMES[id] ?? id;
  return fillDocument("docs/accuracy.md", {
    measured: () => texts.independent(accuracy),
    independent: () =>
      independent.rows.map(({ id, ...row }) => [nameItem(id), formatCount(row.rows), row.tables, row.lists]),
    own: () => texts.ownShipped(accuracy),
    shipped: () => shipped.map(({ id, rows, tables }) => [nameItem(id), formatCount(rows), tables]),
    outside: () => texts.ownMeasurement(accuracy),
    rates: () => [
      ...drawRates(
        "recall",
        (id) => texts.independentItems[id] ?? `↑ Found, of addresses that are ${call(id)}`,
      ),
      ...drawRates("precision", (id) => `↑ Right, of addresses called ${call(id)}`),
      ...drawRates("alarms", (id) => `↓ Ordinary networks called ${call(id)}`),
      ...measured.agreement.flatMap(({ sources, right }) =>
        drawShare(`↑ Kind of exit right, providers that name it: ${sources}`, right),
      ),
      ...measured.bands.flatMap(({ band, bad }) =>
        drawShare(`Exits and listed addresses among those with the band "${band}"`, bad),
      ),
    ],
    names: () => texts.hostNames(accuracy),
    calibration: () => texts.calibration(measured.calibrationError),
    sets: ({ told }) =>
      sets.map(({ id, rows, leftOut }) => {
        const set = `\`${id}\``;
        return [set, told(set)[1] ?? "", formatCount(rows), formatCount(leftOut)];
      }),
  });
}

/** The row of a share, with its 95 % interval. None of a share of nothing. */
function drawShare(item: string, { of, share, low, high }: Share): readonly Row[] {
  const percent = (value: number) => (100 * value).toFixed(1);
  if (of === 0) return [];
  return [[item, formatCount(of), `${percent(share)}% (${percent(low)}–${percent(high)})`]];
}
