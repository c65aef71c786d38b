// @ts-check
/**
 * Compares what a browser tells every site with the country and the time zone of an address. It reads nothing of the
 * browser and no clock: both are arguments.
 */

/** @typedef {"fits" | "differs" | "unknown"} Match */
/**
 * Where an address is.
 * @typedef {object} Place
 * @property {string} surveyedAt ISO 8601.
 * @property {string} [country] Its name in the language of the page.
 * @property {string} [timeZone] IANA name of the time zone at the place of the address.
 * @property {readonly string[]} timeZones IANA names of all time zones of the country.
 * @property {readonly string[]} languages Widely used languages of the country (BCP 47), the most used first.
 */
/**
 * What a browser says of itself.
 * @typedef {object} Settings
 * @property {string} timeZone IANA name.
 * @property {readonly string[]} languages BCP 47, the preferred one first.
 * @property {number} nowMs Milliseconds since 1970.
 * @property {number} clockMinutes Offset of the clock to UTC, east of Greenwich positive.
 */
/** @typedef {{ readonly match: Match, readonly browser: string[], readonly address: string[] }} Row Lines of text. */
/** @typedef {{ readonly language: string, readonly spread: (values: string) => string, readonly comma: string, readonly behind: string }} Wording */

/** More offsets or times than this are shown as a range, and more languages are cut. */
const MOST_OFFSETS = 3;
const MOST_LANGUAGES = 4;

/** A survey ends some seconds before or after the time that the server notes; clocks differ by as much. */
const CLOCK_TOLERANCE_MS = 60_000;

const MINUS = "\u2212";

/**
 * Compares the time zone, the clock and the languages. Without a country and a time zone of the address, every match is
 * unknown.
 * @param {Place} place
 * @param {Settings} settings
 * @param {Wording} wording
 * @returns {{ readonly timeZone: Row, readonly clock: Row, readonly languages: Row }}
 */
export function compareProfile(place, settings, wording) {
  const { nowMs, clockMinutes } = settings;
  const zones = [...(place.timeZone === undefined ? [] : [place.timeZone]), ...place.timeZones].flatMap(
    (name) => {
      const minutes = findOffset(name, nowMs);
      return minutes === undefined ? [] : [{ name, minutes }];
    },
  );
  const offsets = [...new Set(zones.map(({ minutes }) => minutes))].sort((a, b) => a - b);
  // Without the place in the country, only a country with one offset has a time zone to name.
  const named = offsets.length === 1 || zones[0]?.name === place.timeZone ? zones[0] : undefined;

  /** @param {number | undefined} minutes @returns {Match} */
  const matchOf = (minutes) =>
    offsets.length === 0 || minutes === undefined
      ? "unknown"
      : offsets.includes(minutes)
        ? "fits"
        : "differs";

  /** @param {(minutes: number) => string} format */
  const spread = (format) => {
    const values = offsets.map(format);
    return wording.spread(
      values.length > MOST_OFFSETS ? `${values[0]} \u2013 ${values.at(-1)}` : values.join(wording.comma),
    );
  };

  /** @param {(zone: { readonly name: string, readonly minutes: number }) => string} format */
  const describe = (format) => [
    ...(named === undefined ? [] : [format(named)]),
    ...(offsets.length > 1 ? [spread((minutes) => format({ name: "", minutes }))] : []),
  ];

  const own = findOffset(settings.timeZone, nowMs);
  const isBehind = nowMs < Date.parse(place.surveyedAt) - CLOCK_TOLERANCE_MS;
  /** @param {number} minutes */
  const timeAt = (minutes) => formatTime(nowMs, minutes, wording.language);
  return {
    timeZone: {
      match: matchOf(own),
      browser: [formatZone(settings.timeZone, own)],
      address: describe(({ name, minutes }) => formatZone(name, minutes)),
    },
    clock: {
      match: isBehind ? "differs" : matchOf(clockMinutes),
      browser: [
        `${timeAt(clockMinutes)} (${formatOffset(clockMinutes)})`,
        ...(isBehind ? [wording.behind] : []),
      ],
      address: describe(({ minutes }) => timeAt(minutes)),
    },
    languages: compareLanguages(place, settings, wording),
  };
}

/**
 * @param {Place} place
 * @param {Settings} settings
 * @param {Wording} wording
 * @returns {Row}
 */
function compareLanguages({ languages }, settings, { language, comma }) {
  const names = new Intl.DisplayNames([language], { type: "language" });
  /** @param {readonly string[]} tags */
  const list = (tags) => {
    const shown = tags.slice(0, MOST_LANGUAGES).map((tag) => names.of(tag));
    return tags.length === 0 ? [] : [shown.join(comma) + (tags.length > MOST_LANGUAGES ? " \u2026" : "")];
  };
  const own = settings.languages.filter((tag) => readWriting(tag) !== undefined);
  const first = readWriting(own[0] ?? "");
  const used = languages.find((tag) => readWriting(tag) === first);
  const isUnknown = languages.length === 0 || first === undefined;
  return {
    match: isUnknown ? "unknown" : used === undefined ? "differs" : "fits",
    browser: list(own),
    // The one that fits comes first, so that it is never cut.
    address: list(used === undefined ? languages : [used, ...languages.filter((tag) => tag !== used)]),
  };
}

/**
 * Returns the language of a tag, for Chinese with its script, which tells Taiwan and Hong Kong from the mainland.
 * Undefined for a text that is not a tag.
 * @param {string} tag
 */
function readWriting(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" ? `zh-${script}` : language;
  } catch {
    return undefined;
  }
}

/**
 * Returns the offset of a time zone to UTC in minutes; undefined if the browser does not know the zone.
 * @param {string} timeZone
 * @param {number} nowMs
 */
function findOffset(timeZone, nowMs) {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const text = format.formatToParts(nowMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [undefined];
    if (sign === undefined) return text === "GMT" ? 0 : undefined;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} name
 * @param {number | undefined} minutes
 */
function formatZone(name, minutes) {
  const offset = minutes === undefined ? undefined : formatOffset(minutes);
  return name === "" || offset === undefined ? (offset ?? name) : `${name} (${offset})`;
}

/** @param {number} minutes */
function formatOffset(minutes) {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? MINUS : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/**
 * @param {number} nowMs
 * @param {number} minutes Offset to UTC.
 * @param {string} language
 */
function formatTime(nowMs, minutes, language) {
  return new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(nowMs + minutes * 60_000);
}
