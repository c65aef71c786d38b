import { renderText } from "#render";
import type { Language } from "#report";
import type { DocumentName } from "./documents.ts";
import { exampleReports } from "./examples.ts";
import type { Shape } from "./exchange.ts";
import type { Described } from "./operation.ts";

/** Headers of every answer. */
export const ALWAYS = [
  "x-request-id",
  "Cache-Control",
  "Content-Security-Policy",
  "X-Content-Type-Options",
  "Referrer-Policy",
];

/** Headers of what pages of any site may read. */
export const SHARED = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];

/** Headers of what a limit applies to. */
export const LIMITED = ["RateLimit", "RateLimit-Policy"];

/** Header of what may start a survey. */
export const BUDGET = "x-open-budget-remaining";

/** Of each shape, as errors have it. */
export const MEDIA_TYPES: Readonly<Record<Shape, string>> = {
  json: "application/json",
  text: "text/plain",
  page: "text/html",
};

/** The report in one shape, and 304. */
export function reportAnswers(shape: Shape, baseUrl: string, ...languages: readonly Language[]): Described {
  const own = shape === "page" ? ["Link"] : SHARED;
  return {
    200: {
      description: "The report.",
      headers: referHeaders([...ALWAYS, "ETag", "Last-Modified", "Vary", ...LIMITED, BUDGET, ...own]),
      content: { [MEDIA_TYPES[shape]]: describeReport(shape, baseUrl, languages) },
    },
    304: notModified(["Last-Modified", "Vary", ...LIMITED, BUDGET, ...own]),
  };
}

function describeReport(shape: Shape, baseUrl: string, languages: readonly Language[]): Described {
  if (shape === "page") return { schema: { type: "string" } };
  const examples: Record<string, Described> = {};
  for (const language of languages) {
    const { clean, bad } = exampleReports(baseUrl, language);
    for (const [name, report] of [
      ["clean", clean],
      ["bad", bad],
    ] as const) {
      examples[languages.length > 1 ? `${name}_${language}` : name] = {
        summary:
          name === "clean" ? "A residential line nobody complains of" : "An open proxy in a data centre",
        value: shape === "json" ? report : renderText(report),
      };
    }
  }
  return { schema: shape === "json" ? refer("Report") : { type: "string" }, examples };
}

/** A document for everyone. */
export function documentAnswer(description: string, name: DocumentName, example: Described): Described {
  return {
    description,
    headers: referHeaders([...ALWAYS, ...SHARED]),
    content: { "application/json": { schema: refer(name), example } },
  };
}

/** What only pages of the site itself may read. */
export function ownAnswer(
  description: string,
  name: DocumentName,
  headers: readonly string[],
  example: Described,
): Described {
  return {
    description,
    headers: referHeaders([...ALWAYS, ...LIMITED, ...headers]),
    content: { "application/json": { schema: refer(name), example } },
  };
}

/** 304, with these headers beside those of every answer. */
export function notModified(headers: readonly string[]): Described {
  return {
    description: "What the caller holds is current.",
    headers: referHeaders([...ALWAYS, "ETag", ...headers]),
  };
}

/** Headers by name, each described once in the document. */
export function referHeaders(names: readonly string[]): Described {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A document by name. */
export function refer(name: DocumentName): Described {
  return { $ref: `#/components/schemas/${name}` };
}
