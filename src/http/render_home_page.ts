import { wordsOf } from "#locale";
import { html } from "#render";
import type { Language } from "#report";

/** The front page: one field, filled with the caller's own address. Works without script. */
export function renderHomePage(address: string, language: Language): string {
  const words = wordsOf(language).headings;
  const [home, other] = language === "en" ? ["/en", "/"] : ["/", "/en"];
  return html`<!doctype html>
<html lang="${language === "en" ? "en" : "zh-Hans"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>limpid - ${words.title}</title>
<link rel="stylesheet" href="/static/report.css">
</head>
<body>
<header class="top"><span class="brand">limpid</span><span class="tagline">${words.title}</span>
<nav><a href="${other}">${words.otherLanguage}</a></nav>
</header>
<main>
<section class="card">
<h1>${words.title}</h1>
<form action="${home}" method="get" role="search">
<label for="ip">${words.address}</label>
<input id="ip" name="ip" value="${address}" maxlength="64" autocomplete="off" autocapitalize="off" spellcheck="false" required>
<button type="submit">${words.title}</button>
</form>
<p class="quiet">${words.disclaimer}</p>
</section>
</main>
</body>
</html>
`.toString();
}
