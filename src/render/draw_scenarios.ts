import type { PartialTexts } from "#locale";
import type { Report } from "#report";
import { drawBar } from "./draw_bar.ts";
import { drawCard } from "./draw_card.ts";
import { type Html, html } from "./html.ts";

/** The six uses side by side: level, score and the reasons; one reason for all is said once. */
export function drawScenarios({ scenarios }: Report, texts: PartialTexts): Html {
  const [first, ...others] = scenarios;
  const shared = first !== undefined && others.every(({ reason }) => reason === first.reason);
  return drawCard(
    texts.headings.scenarios,
    html`<ul class="tiles">${scenarios.map(
      ({ label, level, levelLabel, score, reason }) => html`
<li><h3>${label}</h3> <p class="mark"><span class="level level-${level}">${levelLabel}</span>${
        score !== null && html` <span class="figure">${score}</span>`
      }</p>${score !== null && html`\n${drawBar(score, level)}`}${!shared && html`\n<p class="words">${reason}</p>`}</li>`,
    )}</ul>${shared && html`\n<p class="words shared">${first.reason}</p>`}`,
  );
}
