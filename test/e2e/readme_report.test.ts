import { test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startService } from "#kit";
import { PROJECT, readDocument } from "../docs/list_documents.ts";
import { matchGolden } from "../kit/golden.ts";

const ORIGIN = "http://127.0.0.1:8080";
/** The only line that changes with every run. */
const SURVEYED = /^Surveyed .*$/m;

test("the README's report is what a service without a network answers", async () => {
  const { blocks } = readDocument("README.md");
  const at = blocks.findIndex(({ code }) => /\.txt' \| head -\d+\n$/.test(code));
  const [, path = "", lines = ""] = /8080(\/[^']+)' \| head -(\d+)\n$/.exec(blocks[at]?.code ?? "") ?? [];
  const shown = blocks[at + 1]?.code ?? "";

  const service = await startService({
    env: { LIMPID_LIVE: "0", LIMPID_FEEDS: "0", LIMPID_BASE_URL: ORIGIN },
  });
  try {
    const report = await (await fetch(service.url + path)).text();
    const head = `${report.split("\n").slice(0, Number(lines)).join("\n")}\n`;
    const [surveyed = ""] = SURVEYED.exec(shown) ?? SURVEYED.exec(head) ?? [];
    const wanted = head.replace(SURVEYED, surveyed);
    const text = readFileSync(join(PROJECT, "README.md"), "utf8");
    matchGolden(
      "README.md",
      text.replace(`\n${shown}\`\`\`\n`, () => `\n${wanted}\`\`\`\n`),
    );
  } finally {
    await service.close();
  }
});
