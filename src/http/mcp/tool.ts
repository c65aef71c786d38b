import type { Exchange } from "../exchange.ts";
import type { Members } from "./read_message.ts";

/**
 * What a call of a tool answers; `structuredContent` is absent on errors, which have a shape of their own. No
 * interface: the SDK's results have an index signature, which only an alias fits.
 */
export type ToolResult = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Members;
  readonly isError?: true;
};

/** A tool as clients see it (MCP, server: tools). Schemas are JSON Schema 2020-12. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema: JsonObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: boolean;
  };
}

/** JSON Schema of an object. */
export interface JsonObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** A tool: what it is called and takes, and what it does. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** @throws {HttpProblem} for everything that is no result. */
  readonly call: (exchange: Exchange, args: Members) => Promise<ToolResult>;
}
