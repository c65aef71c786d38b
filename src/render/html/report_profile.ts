import { describeCountry, reportPageTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { sanitize } from "../sanitize.ts";
import { type Html, html } from "./html.ts";

/**
 * Renders the empty, hidden element in which `/static/own_profile.js` compares the browser with the visitor's own address.
 * `data-place` is JSON: where the address is, and when it was surveyed. Without script nothing shows.
 */
export function renderOwnProfile({ geo, queriedAt }: Report, language: Language): Html {
  // What html`` replaces in a text would end the JSON, so these names are sanitized first.
  const place = {
    surveyedAt: queriedAt,
    ...(geo?.country === undefined
      ? { timeZones: [], languages: [] }
      : { country: sanitize(geo.countryName ?? geo.country), ...describeCountry(geo.country) }),
    ...(geo?.timezone === undefined ? {} : { timeZone: sanitize(geo.timezone) }),
  };
  const words = reportPageTextsOf(language).profile;
  return html`<div id="own-profile" hidden data-place="${JSON.stringify(place)}" data-words="${JSON.stringify(words)}"></div>\n`;
}
