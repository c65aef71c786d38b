import * as v from "valibot";
import { reportPathOf } from "#render";
import type { CardReplies } from "../card_replies.ts";
import type { HttpContext } from "../context.ts";
import { answerReport } from "../lookup.ts";
import {
  fields,
  lang,
  ME,
  type ReportName,
  refresh,
  reportName,
  sources,
  splitReportName,
} from "../parameters.ts";
import { inBothLanguages } from "../paths.ts";
import { createRoutes, resolveSubject } from "../plugins/request_context.ts";
import { redirect } from "../reply.ts";
import { WholeOrPartSchema } from "../report_part.ts";
import type { ReportReplies } from "../report_replies.ts";
import { either, empty, type FormatChoice, file, json, page, problems, text } from "../responses.ts";
import { answerCard } from "./card.ts";

const StixBundle = v.pipe(
  v.object({
    type: v.literal("bundle"),
    id: v.string(),
    objects: v.array(v.objectWithRest({ type: v.string(), id: v.string() }, v.unknown())),
  }),
  v.title("StixBundle"),
);

/** Parameters that only the JSON format offers. */
const JSON_ONLY = ["fields", "sources"];

/** The ending of the path decides the format. Errors of Markdown and of pictures are plain text. */
const FORMAT: FormatChoice = {
  formats: ["page", "json", "text"],
  choose({ path }) {
    const format = formatOf(path);
    if (format === "stix") return "json";
    return format === "page" || format === "json" ? format : "text";
  },
};

/**
 * `/ip/{ip}`, `/ip/{ip}.json`, `.stix.json`, `.txt`, `.md`, `.png` and their English forms. One pattern serves all of them: the
 * router cannot separate an ending from the address before it. `me` in place of the address is the caller.
 */
export function reportRoute(context: HttpContext, replies: ReportReplies, cards: CardReplies) {
  return inBothLanguages((prefix) =>
    createRoutes().get(
      `${prefix}/ip/:name`,
      async ({ params, query, requestContext }) => {
        const { subject, format } = params.name;
        const address = resolveSubject(requestContext, subject);
        if (isRedirected(params.name))
          return redirect(reportPathOf(address.text, requestContext.language), requestContext.request);
        if (format === "card") return answerCard(context, cards, requestContext, subject);
        return answerReport(context, replies, requestContext, {
          address,
          refresh: query.refresh !== undefined,
          format,
          part: query,
        });
      },
      {
        params: v.object({ name: reportName }),
        query: v.object({ refresh, lang, fields, sources }),
        // The other formats do not offer these parameters, so they ignore any value of them.
        transform({ path, query }) {
          if (formatOf(path) === "json") return;
          delete query.fields;
          delete query.sources;
        },
        response: {
          200: either(
            page("The report.", { headers: ["Last-Modified", "Link"] }),
            json("The report.", WholeOrPartSchema, {
              headers: ["Last-Modified"],
              examples: ["clean_zh", "bad_zh", "clean_en", "bad_en"],
            }),
            text("The report.", {
              headers: ["Last-Modified"],
              examples: ["text"],
            }),
            file("The picture.", "image/png", { headers: ["Last-Modified"] }),
            text("The report.", {
              mediaType: "application/stix+json",
              schema: StixBundle,
              headers: ["Last-Modified"],
            }),
            text("The report.", { mediaType: "text/markdown", headers: ["Last-Modified"] }),
          ),
          308: empty("The same page under the canonical form of the address. Costs nothing.", {
            headers: ["Location"],
          }),
          ...problems("survey", FORMAT),
        },
        detail: {
          tags: ["Reports"],
          security: [{}, { pass: [] }],
          "x-paths": [
            {
              path: `${prefix}/ip/{ip}.json`,
              format: "json",
              mediaType: "application/json",
              operationId: "getReport",
              summary: "Report as JSON",
              description:
                "The same as `/api/lookup`, with the same limits, under its own path and the same parameters `fields` and `sources`.",
            },
            {
              path: `${prefix}/ip/{ip}.txt`,
              format: "text",
              mediaType: "text/plain",
              omits: JSON_ONLY,
              operationId: "getReportText",
              summary: "Report as plain text",
              description: "72 columns of plain text, with the same limits. Errors start with their code.",
            },
            {
              path: `${prefix}/ip/{ip}.stix.json`,
              format: "json",
              mediaType: "application/stix+json",
              omits: JSON_ONLY,
              operationId: "getReportStix",
              summary: "Report as a STIX 2.1 bundle",
              description:
                "For threat intelligence platforms, with the same limits. Only an address that is accused and not clean has an indicator.",
            },
            {
              path: `${prefix}/ip/{ip}.md`,
              format: "text",
              mediaType: "text/markdown",
              omits: JSON_ONLY,
              operationId: "getReportMarkdown",
              summary: "Report as Markdown",
              description:
                "The whole report for language models, with the same limits. Errors are plain text that starts with the code.",
            },
            {
              path: `${prefix}/ip/{ip}.png`,
              format: "text",
              cost: "lookup",
              mediaType: "image/png",
              omits: JSON_ONLY,
              operationId: "getReportCard",
              summary: "Report as a picture for link previews",
              description:
                "1200 x 630 pixels. Shows only what is stored: the picture of an unknown address says so and shows what the local tables know, without a score. It never starts a survey. Costs a lookup. Anyone may cache it for 5 minutes.",
            },
            {
              path: `${prefix}/ip/{ip}`,
              format: "page",
              mediaType: "text/html",
              omits: JSON_ONLY,
              tags: ["Pages"],
              operationId: "getReportPage",
              summary: "Report as a web page",
              description:
                "The page holds the JSON report in `script#service-report`. The same limits apply.",
            },
          ],
        },
      },
    ),
  );
}

/** `/ip` and `/en/ip`: the page about the caller, as under `/ip/me`. */
export function ownReportRoute(context: HttpContext, replies: ReportReplies) {
  return inBothLanguages((prefix) =>
    createRoutes().get(
      `${prefix}/ip`,
      async ({ query, requestContext }) =>
        answerReport(context, replies, requestContext, {
          address: resolveSubject(requestContext, ME),
          refresh: query.refresh !== undefined,
          format: "page",
        }),
      {
        query: v.object({ refresh, lang }),
        response: {
          200: page("The report.", { headers: ["Last-Modified", "Link"] }),
          ...problems("survey", "page"),
        },
        detail: {
          operationId: "getOwnReportPage",
          summary: "The caller's report as a web page",
          description:
            "The same as `/ip/me`, with the same limits. Its script also compares the browser's time zone, clock and languages with the address, and sends nothing.",
          tags: ["Pages"],
          security: [{}, { pass: [] }],
        },
      },
    ),
  );
}

/** Whether a page needs a redirect to the URL of its canonical address. Other formats are answered without a redirect. */
function isRedirected({ subject, written, format }: ReportName): boolean {
  return format === "page" && subject !== ME && subject.text !== written && `[${subject.text}]` !== written;
}

/** The format that the last part of a path names. */
function formatOf(path: string): ReportName["format"] {
  return splitReportName(decodeName(path.slice(path.lastIndexOf("/") + 1))).format;
}

/** Decodes a name. Returns a name with a broken escape unchanged; it is no address. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
