/**
 * Takes the pictures of the READMEs: the page of the example report in Chromium, and its share card.
 * `bun test/docs/take_pictures.ts` writes docs/pictures.
 */
import { join } from "node:path";
import { createPngPainter } from "#app";
import { startChromium } from "#kit";
import { renderReportCard, renderReportPage } from "#render";
import { LANGUAGES } from "#report";
import { exampleReport } from "./example_report.ts";
import { PROJECT } from "./list_documents.ts";

/** So narrow that the cards are in one column. The picture, at most this high, ends below the use cases. */
const SIZE = { width: 920, height: 1000 } as const;
/** Below the last card of the picture. */
const MARGIN = 8;

const draw = createPngPainter({ packages: join(PROJECT, "node_modules"), fonts: join(PROJECT, "fonts") });
const browser = await startChromium();
const server = Bun.serve({
  port: 0,
  fetch({ url }) {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/static/")) return new Response(Bun.file(join(PROJECT, pathname)));
    const page = renderReportPage(exampleReport(pathname === "/en" ? "en" : "zh"));
    return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
  },
});
for (const language of LANGUAGES) {
  const path = (name: string) =>
    join(PROJECT, `docs/pictures/${name}${language === "en" ? "" : `.${language}`}.png`);
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
  // The survey is a few minutes old.
  await page.clock.setFixedTime(Date.parse(exampleReport(language).queriedAt) + 300_000);
  await page.goto(`${server.url}${language}`);
  // The picture ends at the lower edge of a card, so that no line is cut.
  const edge = await page.evaluate(
    `Math.max(...[...document.querySelectorAll("main .card")].map((card) => card.getBoundingClientRect().bottom).filter((bottom) => bottom < ${SIZE.height}))`,
  );
  await page.screenshot({
    path: path("page"),
    clip: { x: 0, y: 0, width: SIZE.width, height: Math.ceil(Number(edge)) + MARGIN },
  });
  const card = await draw(() => renderReportCard(exampleReport(language)));
  if (card !== undefined) await Bun.write(path("card"), card);
}
await browser.close();
await server.stop(true);
process.exit();
