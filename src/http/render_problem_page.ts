import { html } from "#render";
import type { Language, Problem } from "#report";

/** An error as a small page: what happened, what to do, and where to go on. */
export function renderProblemPage(problem: Problem, status: number, language: Language): string {
  return html`<!doctype html>
<html lang="${language === "en" ? "en" : "zh-Hans"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${problem.error} - limpid</title>
<link rel="stylesheet" href="/static/report.css">
</head>
<body>
<header class="top"><a class="brand" href="${language === "en" ? "/en" : "/"}">limpid</a></header>
<main>
<section class="card">
<h1>${problem.error}</h1>
${problem.hint !== undefined && html`<p>${problem.hint}</p>\n`}${
  problem.reportUrl !== undefined &&
  html`<p><a href="${problem.reportUrl}" rel="nofollow">${problem.reportUrl}</a></p>\n`
}<p class="quiet">${status} ${problem.code}</p>
</section>
</main>
</body>
</html>
`.toString();
}
