import { renderLine, renderLlms, renderMarkdown } from "#render";
import {
  BadgeQuerySchema,
  ComparePageQuerySchema,
  CompareQuerySchema,
  GateQuerySchema,
  HistoryQuerySchema,
  ReportQuerySchema,
  TerminalQuerySchema,
} from "./contract.ts";
import { ALWAYS, BUDGET, LIMITED, notModified, refer, referHeaders, SHARED } from "./describe_answers.ts";
import { exampleProblem, exampleReports } from "./examples.ts";
import { type Described, LOOKUP, type Operation } from "./operation.ts";
import { writeRobots } from "./write_robots.ts";

/** The operations beside the lookup itself: its other forms, and what serves people, scripts and readers of sites. */
export function listFaceOperations(baseUrl: string): readonly Operation[] {
  return [
    ...listPerLanguage(baseUrl),
    ...listForPrograms(baseUrl),
    ...listForScripts(baseUrl),
    ...listForSites(baseUrl),
  ];
}

function listPerLanguage(baseUrl: string): readonly Operation[] {
  return (["zh", "en"] as const).flatMap((language): readonly Operation[] => {
    const prefix = language === "en" ? "/en" : "";
    const name = language === "en" ? "English" : "Chinese";
    const suffix = language === "en" ? "InEnglish" : "";
    const { clean } = exampleReports(baseUrl, language);
    return [
      {
        ...LOOKUP,
        path: `${prefix}/ip/{ip}.md`,
        id: `getReportMarkdown${suffix}`,
        summary: `Report as Markdown, ${name}`,
        description:
          "The whole report for language models, with the same limits. Errors are one line of plain text.",
        language,
        shape: "text",
        query: ReportQuerySchema,
        answers: textReport("text/markdown", renderMarkdown(clean)),
      },
      {
        ...LOOKUP,
        path: `${prefix}/compare`,
        id: `getComparePage${suffix}`,
        summary: `Up to 5 addresses side by side as a web page, ${name}`,
        description:
          "Reads what people paste. Each address costs what it costs alone; those that cannot be had are named with the reason, and as long as one can the page is a 200. Without `ips` the empty form, which costs nothing.",
        language,
        shape: "page",
        query: ComparePageQuerySchema,
        answers: {
          200: {
            description: "The comparison, or the form.",
            headers: referHeaders([...ALWAYS, "ETag", "Vary", "Link", ...LIMITED, BUDGET]),
            content: { "text/html": { schema: { type: "string" } } },
          },
          304: notModified(["Vary", "Link", ...LIMITED, BUDGET]),
        },
      },
      {
        path: `${prefix}/docs`,
        id: `getDocs${suffix}`,
        tag: "Service",
        summary: `This description as a web page, ${name}`,
        description:
          "Made of the same document, without script. What it describes is English in both languages.",
        language,
        shape: "page",
        problems: [414, 500],
        answers: publicAnswers("The page.", "text/html", { headers: ["Vary", "Link"] }),
      },
      {
        path: `${prefix}/llms.txt`,
        id: `getSummary${suffix}`,
        tag: "Service",
        summary: `What language models should know of the service, ${name}`,
        description:
          "How to call it, its limits, how to read an answer, and what not to conclude (llmstxt.org).",
        language,
        shape: "text",
        problems: [414, 500],
        answers: publicAnswers("The summary.", "text/markdown", {
          headers: ["Vary", ...SHARED],
          example: renderLlms({ language, origin: baseUrl, limits: EXAMPLE_LIMITS })
            .split("\n\n", 2)
            .join("\n\n"),
        }),
      },
    ];
  });
}

const EXAMPLE_LIMITS = {
  lookupsPerMinute: 30,
  newPerMinute: 10,
  refreshPerMinute: 5,
  openPerDay: 5,
  openPerMinute: 15,
};

function listForPrograms(baseUrl: string): readonly Operation[] {
  const { clean } = exampleReports(baseUrl, "zh");
  return [
    {
      ...LOOKUP,
      path: "/api/compare",
      id: "compareAddresses",
      summary: "2 to 5 addresses side by side",
      description:
        "Each address costs a lookup, and allowance if it is unknown, as if it were asked for alone. Those that cannot be had stand in `problems` with the reason; as long as there is one report the answer is a 200, else it is the first problem with its status. An address written twice counts once.",
      language: "zh",
      shape: "json",
      query: CompareQuerySchema,
      answers: {
        200: {
          description: "The reports, and what could not be had.",
          headers: referHeaders([...ALWAYS, "ETag", "Vary", ...LIMITED, BUDGET, ...SHARED]),
          content: {
            "application/json": {
              schema: refer("Comparison"),
              example: {
                reports: [clean],
                problems: [{ ip: "198.51.100.256", problem: exampleProblem("invalid_ip", "zh", baseUrl) }],
              },
            },
          },
        },
        304: notModified(["Vary", ...LIMITED, BUDGET, ...SHARED]),
      },
    },
    {
      path: "/api/history",
      id: "getHistory",
      tag: "Reports",
      summary: "Earlier conclusions about an address",
      description:
        "Read from the database: asks no source and spends no allowance. An address that is not stored has an empty list, not an error. Costs a lookup.",
      language: "zh",
      shape: "json",
      query: HistoryQuerySchema,
      limited: true,
      problems: [400, 414, 429, 500, 503],
      answers: {
        200: {
          description: "What was concluded, newest first.",
          headers: referHeaders([...ALWAYS, "ETag", "Vary", ...LIMITED, ...SHARED]),
          content: {
            "application/json": {
              schema: refer("History"),
              example: {
                ip: "198.51.100.7",
                entries: [
                  { date: "2026-01-15T08:30:00.000Z", purity: 100, band: "pristine", scoringVersion: 2 },
                ],
              },
            },
          },
        },
        304: notModified(["Vary", ...LIMITED, ...SHARED]),
      },
    },
  ];
}

function listForScripts(baseUrl: string): readonly Operation[] {
  const { bad } = exampleReports(baseUrl, "en");
  const line = (description: string, headers: readonly string[], example: string): Described => ({
    description,
    headers: referHeaders([...ALWAYS, ...LIMITED, BUDGET, ...SHARED, ...headers]),
    content: { "text/plain": { schema: { type: "string" }, example } },
  });
  return [
    {
      ...LOOKUP,
      path: "/cli/{ip}",
      id: "getTerminalReport",
      summary: "Report for terminals, or in one line",
      description:
        "72 columns in the 16 colours that every terminal has; with `color=0` the plain text report. With `format=line` one line of ASCII for programs, the same in both languages: fields are never missing and keep their order, new ones come at the end. Errors are one line.",
      language: "zh",
      shape: "text",
      query: TerminalQuerySchema,
      answers: textReport("text/plain", renderLine(bad)),
    },
    {
      ...LOOKUP,
      path: "/gate/{ip}",
      id: "passGate",
      summary: "PASS, FAIL or UNKNOWN, for scripts and proxy clients",
      description:
        "Judges the score of a use, or without `scenario` the purity, by `min`. UNKNOWN, never PASS, where no live source was heard, for special-purpose space, and for a use of an address that is nobody's exit. A region where the service is not offered is `FAIL restricted`. Asks and costs what a lookup does; its refusals keep their status, in one line.",
      language: "zh",
      shape: "text",
      query: GateQuerySchema,
      problems: [400, 403, 404, 414, 429, 500],
      answers: {
        200: line(
          "The score is `min` or more; with `status=200` whatever the outcome is.",
          ["Retry-After"],
          "PASS 82\n",
        ),
        409: line("The score is lower, or the service is not offered there.", [], "FAIL 41\n"),
        503: line(
          "UNKNOWN: nothing that could be judged, and with Retry-After because nobody was heard. Or the service is too busy, in one sentence.",
          ["Retry-After"],
          "UNKNOWN\n",
        ),
      },
    },
    {
      path: "/badge/{ip}.svg",
      id: "getBadge",
      tag: "Reports",
      summary: "The score as an SVG image for embedding",
      description:
        "Of what is stored only: an unknown address has a grey badge that says so, and no source is asked, so that a badge on a page spends nobody's allowance. Costs a lookup. May be kept by anyone for 5 minutes.",
      language: "zh",
      shape: "text",
      query: BadgeQuerySchema,
      limited: true,
      problems: [400, 404, 414, 429, 500],
      answers: publicAnswers("The badge, of a known address or an unknown one.", "image/svg+xml", {
        headers: ["Last-Modified", "Vary", ...SHARED],
      }),
    },
  ];
}

function listForSites(baseUrl: string): readonly Operation[] {
  const site = { tag: "Service", language: "zh", shape: "text" } as const;
  return [
    {
      ...site,
      path: "/robots.txt",
      id: "getRobots",
      summary: "What programs that read sites may ask for",
      description: "RFC 9309.",
      problems: [414, 500],
      answers: publicAnswers("The rules.", "text/plain", { headers: SHARED, example: writeRobots(baseUrl) }),
    },
    {
      ...site,
      path: "/sitemap.xml",
      id: "getSitemap",
      summary: "Pages and stored reports, newest first",
      description: "At most 5,000 reports, each in both languages; made anew every ten minutes.",
      problems: [414, 500, 503],
      answers: publicAnswers("The list.", "application/xml", { headers: ["Vary", ...SHARED] }),
    },
    {
      ...site,
      path: "/favicon.ico",
      id: "getIcon",
      shape: "json",
      summary: "The icon of the site",
      description: "An SVG image, whatever the name promises.",
      problems: [404, 414, 500],
      answers: publicAnswers("The icon.", "image/svg+xml", { headers: ["Vary"] }),
    },
  ];
}

function textReport(mediaType: string, example: string): Described {
  const headers = ["Last-Modified", "Vary", ...LIMITED, BUDGET, ...SHARED];
  return {
    200: {
      description: "The report.",
      headers: referHeaders([...ALWAYS, "ETag", ...headers]),
      content: { [mediaType]: { schema: { type: "string" }, example } },
    },
    304: notModified(headers),
  };
}

/** What is the same for everyone, and 304. */
function publicAnswers(
  description: string,
  mediaType: string,
  { headers, example }: { readonly headers: readonly string[]; readonly example?: string },
): Described {
  return {
    200: {
      description,
      headers: referHeaders([...ALWAYS, "ETag", ...headers]),
      content: { [mediaType]: { schema: { type: "string" }, ...(example === undefined ? {} : { example }) } },
    },
    304: notModified(headers),
  };
}
