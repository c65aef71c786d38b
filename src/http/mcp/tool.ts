import type { Tool as ToolDefinition } from "@modelcontextprotocol/sdk/types.js";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { toolTextsOf } from "#locale";
import { LANGUAGES, type Language, type Problem } from "#report";
import type { HttpContext } from "../context.ts";
import { choice, MOST_CANDIDATES } from "../parameters.ts";
import { describeIssue, explainFailure } from "../plugins/errors.ts";
import { showAllowance, takeLookup } from "../plugins/limits.ts";
import type { RequestContext } from "../plugins/request_context.ts";
import { describeProblem, HttpProblem, retryAfterSeconds } from "../problem.ts";
import { INVALID_PARAMS, type Members, RpcError } from "./message.ts";
import TEXTS from "./texts.json" with { type: "json" };

/** The result of a tool call; an error has no `structuredContent`. */
export type ToolResult = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Members;
  readonly isError?: true;
};

/** A result: its text for the model, and the same as JSON for programs. */
export function result(text: string, structuredContent: Members): ToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** What the client has left of its daily allowance; undefined = no limits apply to it. */
export function allowanceOf({ client, openLeft = 0 }: RequestContext): number | undefined {
  return client.exempt ? undefined : openLeft;
}

/** A tool: its definition, and the function that it calls. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** @throws {HttpProblem} for a refusal. */
  readonly call: (requestContext: RequestContext, args: Members) => Promise<ToolResult>;
}

/**
 * Calls a tool. A refusal or a failure becomes a result that the model can read.
 * @throws {RpcError} for an unknown tool, and the error of the lookup if the client disconnects.
 */
export async function callTool(
  context: Pick<HttpContext, "log">,
  tools: readonly Tool[],
  requestContext: RequestContext,
  { name, args }: { readonly name: string; readonly args: Members },
): Promise<ToolResult> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) {
    const known = tools.map(({ definition }) => definition.name).join(", ");
    throw new RpcError(200, INVALID_PARAMS, `Cannot call tool: there are only ${known}`);
  }
  // The language is read before the other arguments, so that a refusal is also in this language.
  const language =
    LANGUAGES.find((known) => known === args.lang) ??
    // Models read English best, so it is the default; the URL may say otherwise.
    (requestContext.query.get("lang") === "zh" ? "zh" : "en");
  const localized: RequestContext = { ...requestContext, language };
  try {
    return await tool.call(localized, args);
  } catch (error) {
    if (!(error instanceof HttpProblem) && requestContext.request.signal.aborted) throw error;
    return refusalResult(describeRefusal(explainFailure(context, localized, error), language), language);
  } finally {
    if (localized.openLeft !== undefined) requestContext.openLeft = localized.openLeft;
  }
}

/** The schema of a tool's arguments; unknown ones are refused. */
type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** What a tool declares. A tool with a cost may query sources, and its invalid arguments cost a lookup. */
interface ToolDeclaration<Input extends InputSchema> {
  /** Its title and description are in `texts.json`; a name in braces there stands for a limit in force. */
  readonly name: keyof typeof TEXTS.tools;
  readonly input: Input;
  readonly output: v.GenericSchema;
  readonly hasCost: boolean;
}

/** Creates a tool: its definition, and a call that reads the arguments by the schema that the tool publishes. */
export function createTool<const Input extends InputSchema>(
  context: HttpContext,
  { name, input, output, hasCost }: ToolDeclaration<Input>,
  call: (requestContext: RequestContext, args: v.InferOutput<Input>) => Promise<ToolResult>,
): Tool {
  const { title, description } = TEXTS.tools[name];
  const limits: Readonly<Record<string, number>> = {
    ...context.limits,
    addressesPerComparison: MOST_CANDIDATES,
  };
  return {
    definition: {
      name,
      title,
      description: description.replaceAll(/\{(\w+)\}/g, (_, limit) => String(limits[limit])),
      inputSchema: describeObject(input),
      outputSchema: describeObject(output),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: hasCost,
      },
    },
    async call(requestContext, args) {
      const parsed = v.safeParse(input, args);
      if (parsed.success) return call(requestContext, parsed.output);
      const refused = hasCost ? takeLookup(context, requestContext) : undefined;
      if (hasCost) await showAllowance(context, requestContext);
      throw refused?.response ?? describeIssue(input.entries, parsed.issues[0], "argument");
    },
  };
}

/** JSON Schema 2020-12 of an object schema. */
function describeObject(schema: v.GenericSchema): ToolDefinition["inputSchema"] {
  const options = { target: "draft-2020-12", typeMode: "input" } as const;
  const { $schema: _dialect, type: _type, ...rest } = toJsonSchema(schema, options);
  // The SDK's type excludes a member whose schema is `true` or `false`; no tool declares one.
  return { type: "object", ...rest } as ToolDefinition["inputSchema"];
}

/** The language of a result. */
export const lang = choice(LANGUAGES, "Language of the result: `en` (the default) or `zh` (Chinese).");

/** The error body, and how long to wait if waiting helps. */
export interface ToolRefusal extends Problem {
  readonly retryAfterSeconds?: number;
}

/** Describes a problem for a model. */
export function describeRefusal(problem: HttpProblem, language: Language): ToolRefusal {
  const seconds = retryAfterSeconds(problem);
  return {
    ...describeProblem(problem, language),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

/** Writes a refusal as a result: sentences for the model, and the same as JSON for programs. */
export function refusalResult(refusal: ToolRefusal, language: Language): ToolResult {
  const words = toolTextsOf(language);
  const { error, hint, code, reportUrl, retryAfterSeconds: seconds } = refusal;
  const lines = [
    error,
    hint,
    reportUrl === undefined ? undefined : words.openPage(reportUrl),
    seconds === undefined ? undefined : words.waitSeconds(seconds),
    words.notLookedUp,
    `code: ${code}`,
  ].filter((line) => line !== undefined);
  return {
    content: [
      { type: "text", text: `${lines.join("\n")}\n` },
      { type: "text", text: JSON.stringify(refusal) },
    ],
    isError: true,
  };
}
