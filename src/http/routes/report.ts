import * as v from "valibot";
import type { Address } from "#address";
import { reportPathOf } from "#render";
import { answerReport } from "../answer_report.ts";
import type { Format, HttpContext } from "../context.ts";
import {
  choice,
  fields,
  ip,
  lang,
  ME,
  mask,
  parseSubject,
  refresh,
  sources,
  subjectName,
  titled,
} from "../parameters.ts";
import { createRoutes, type RequestContext, resolveSubject } from "../plugins/request_context.ts";
import { redirect } from "../reply.ts";
import { type ReportFormat, WholeOrPartSchema } from "../report_formats.ts";
import type { ReportReplies } from "../report_replies.ts";
import {
  type Cost,
  either,
  empty,
  type FormatChoice,
  file,
  json,
  type OperationId,
  operation,
  page,
  problems,
  type ResponseSchema,
  text,
} from "../responses.ts";
import { answerSurveyPage } from "../survey_page.ts";
import { answerCard, type CardReplies } from "./card.ts";

/** The query of `/api/lookup`. llms.txt lists it too. */
export const LookupQuery = v.object({ ip, refresh, lang, fields, sources });

const REPORT = json("The report.", WholeOrPartSchema, {
  examples: ["clean_zh", "bad_zh", "clean_en", "bad_en"],
});

/** `/api/lookup` */
export function lookupRoute(path: string, context: HttpContext, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) =>
      answerReport(context, replies, requestContext, {
        address: query.ip,
        refresh: query.refresh !== undefined,
        format: "json",
        part: query,
      }),
    {
      query: LookupQuery,
      response: { 200: REPORT, ...problems("survey", "json") },
      detail: operation("lookUp"),
    },
  );
}

/** A path below `/ip`: the ending after the address, what it answers, and what describes it. */
interface ReportPath {
  readonly ending: string;
  readonly format: ReportFormat | "card";
  /** The format of its errors. */
  readonly errors: Format;
  readonly operation: OperationId;
  /** What a request costs, if it never starts a survey. */
  readonly cost?: Cost;
  readonly answer: ResponseSchema<v.InferOutput<typeof WholeOrPartSchema> | "page" | "text" | "file">;
}

const StixBundle = titled("StixBundle", {
  type: v.literal("bundle"),
  id: v.string(),
  objects: v.array(v.objectWithRest({ type: v.string(), id: v.string() }, v.unknown())),
});

/** The paths below `/ip`. */
const PATHS: readonly ReportPath[] = [
  {
    ending: ".json",
    format: "json",
    errors: "json",
    operation: "getReport",
    answer: REPORT,
  },
  {
    ending: ".txt",
    format: "text",
    errors: "text",
    operation: "getReportText",
    answer: text("The report.", { examples: ["text"] }),
  },
  {
    ending: ".stix.json",
    format: "stix",
    errors: "json",
    operation: "getReportStix",
    answer: text("The report.", { mediaType: "application/stix+json", schema: StixBundle }),
  },
  {
    ending: ".md",
    format: "markdown",
    errors: "text",
    operation: "getReportMarkdown",
    answer: text("The report.", { mediaType: "text/markdown" }),
  },
  {
    ending: ".png",
    format: "card",
    errors: "text",
    operation: "getReportCard",
    cost: "lookup",
    answer: file("The picture.", "image/png"),
  },
  {
    ending: "",
    format: "page",
    errors: "page",
    operation: "getReportPage",
    answer: page("The report.", { headers: ["Link"] }),
  },
];

/** The longest ending that fits decides: `.stix.json` before `.json`. */
const BY_LENGTH = PATHS.toSorted((a, b) => b.ending.length - a.ending.length);

/** The path whose ending a name has; the page has none and fits every name. */
function pathOf(name: string): ReportPath {
  return BY_LENGTH.find(({ ending }) => name.endsWith(ending)) as ReportPath;
}

/** The parameters that a path does not offer, so it ignores any value of them. */
function omittedBy({
  format,
}: Pick<ReportPath, "format">): readonly ("refresh" | "wait" | "fields" | "sources" | "mask")[] {
  if (format === "json") return ["wait", "mask"];
  if (format === "card") return ["refresh", "wait", "fields", "sources"];
  return format === "page" ? ["fields", "sources", "mask"] : ["wait", "fields", "sources", "mask"];
}

const wait = choice(
  ["1"],
  "The page waits for the survey of a new address. Without it a browser gets a page that shows the progress.",
);

/** Reads the last part of the path of a report. `written` is the address as the client wrote it. */
const reportName = subjectName((name) => {
  const { ending, format } = pathOf(name);
  const written = ending === "" ? name : name.slice(0, -ending.length);
  const subject = parseSubject(written);
  return subject === undefined ? { written } : { written, name: { subject, written, format } };
});

/** The ending of the path decides the format of an error. */
const FORMAT: FormatChoice = {
  formats: ["page", "json", "text"],
  choose: ({ path }) => pathOf(lastNameOf(path)).errors,
};

/**
 * `/ip/{ip}`, `/ip/{ip}.json`, `.stix.json`, `.txt`, `.md`, `.png` and their English forms. One pattern serves all of
 * them: the router cannot separate an ending from the address before it. `me` in place of the address is the caller.
 */
export function reportRoute(path: string, context: HttpContext, replies: ReportReplies, cards: CardReplies) {
  return createRoutes().get(
    path,
    async ({ params, query, requestContext }) => {
      const { subject, written, format } = params.name;
      const address = resolveSubject(requestContext, subject);
      // Only a page is redirected to the canonical form of its address.
      const isCanonical = subject === ME || address.text === written || `[${address.text}]` === written;
      if (format === "page" && !isCanonical)
        return redirect(reportPathOf(address.text, requestContext.language), requestContext.request);
      if (format === "page") return answerPage(context, replies, requestContext, { ...query, address });
      if (format === "card")
        return answerCard(context, cards, requestContext, { subject, masked: query.mask !== undefined });
      return answerReport(context, replies, requestContext, {
        address,
        refresh: query.refresh !== undefined,
        format,
        part: query,
      });
    },
    {
      params: v.object({ name: reportName }),
      query: v.object({ refresh, wait, lang, fields, sources, mask }),
      transform({ path: asked, query }) {
        for (const name of omittedBy(pathOf(lastNameOf(asked)))) delete query[name];
      },
      response: {
        200: either(...PATHS.map(({ answer }) => answer)),
        308: empty("The same page under the canonical form of the address. Costs nothing.", {
          headers: ["Location"],
        }),
        ...problems("survey", FORMAT),
      },
      detail: {
        tags: ["Reports"],
        security: [{}, { pass: [] }],
        "x-paths": PATHS.map(({ ending, format, errors, operation: id, answer, cost }) => ({
          path: `/ip/{ip}${ending}`,
          format: errors,
          mediaType: Object.keys(answer.responseFacts.mediaTypes)[0],
          cost,
          omits: omittedBy({ format }),
          ...operation(id),
        })),
      },
    },
  );
}

/** Answers with the page of an address, or first with the page that shows the progress of its survey. */
async function answerPage(
  context: HttpContext,
  replies: ReportReplies,
  requestContext: RequestContext,
  asked: { readonly address: Address; readonly refresh?: "1"; readonly wait?: "1" },
) {
  const { address, refresh: refreshed, wait: waits } = asked;
  const isDirect = refreshed !== undefined || waits !== undefined;
  const progress = isDirect ? undefined : await answerSurveyPage(context, requestContext, address);
  if (progress !== undefined) return progress;
  const wanted = { address, refresh: refreshed !== undefined, format: "page" } as const;
  return answerReport(context, replies, requestContext, wanted);
}

/** `/ip` and `/en/ip`: the page about the caller, as under `/ip/me`. */
export function ownReportRoute(path: string, context: HttpContext, replies: ReportReplies) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      const address = resolveSubject(requestContext, ME);
      return answerPage(context, replies, requestContext, { ...query, address });
    },
    {
      query: v.object({ refresh, wait, lang }),
      response: {
        200: page("The report.", { headers: ["Link"] }),
        ...problems("survey", "page"),
      },
      detail: operation("getOwnReportPage"),
    },
  );
}

/** The last part of a path, decoded. A name with a broken escape stays as it is; it is not an address. */
function lastNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
