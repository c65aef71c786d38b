import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type Address, parseAddress } from "#address";
import { reportTextsOf, toolTextsOf } from "#locale";
import { LANGUAGES, SCENARIOS } from "#report";
import { INVALID_PARAMS, type Members, RpcError } from "./message.ts";
import type { ToolResult } from "./tool.ts";

/** The schemas of the SDK for the methods that are answered here. */
type Schemas = typeof import("@modelcontextprotocol/sdk/types.js");

const TEMPLATE = "report://{address}";
const PROMPT = "fit_for_use";
const USE = { name: "use", description: `One of ${SCENARIOS.join(", ")}.`, required: true };

/**
 * Answers the methods about resources and prompts: the resource `report://ADDRESS`, which costs what `lookup_ip` costs,
 * and a prompt that asks whether an address is fit for a use.
 */
export function answerResources(
  server: Server,
  schemas: Schemas,
  lookUp: (args: Members) => Promise<ToolResult>,
): void {
  server.setRequestHandler(schemas.ListResourcesRequestSchema, () => ({ resources: [] }));
  server.setRequestHandler(schemas.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: TEMPLATE,
        name: "report",
        title: "Report of an IP address",
        description:
          "The whole report as text, with what an IP address cannot tell. Costs what lookup_ip costs.",
        mimeType: "text/plain",
      },
    ],
  }));
  server.setRequestHandler(schemas.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const ip = readAddress(
      /^report:\/\/([^/?#]{1,64})$/.exec(uri)?.[1],
      `Cannot read resource: expected ${TEMPLATE}`,
    );
    const { content, isError } = await lookUp({ ip: ip.text, detail: "full" });
    const text = content.map((part) => part.text).join("\n");
    if (isError === true) throw new RpcError(200, INVALID_PARAMS, text);
    return { contents: [{ uri, mimeType: "text/plain", text }] };
  });
  server.setRequestHandler(schemas.ListPromptsRequestSchema, () => ({
    prompts: [
      {
        name: PROMPT,
        title: "Is this address fit for a use?",
        description:
          "Asks for the suitability of an IP address for one use, with reasons and what is unknown.",
        arguments: [
          { name: "address", description: "IPv4 or IPv6 address.", required: true },
          USE,
          { name: "lang", description: "Language of the answer: en (the default) or zh." },
        ],
      },
    ],
  }));
  server.setRequestHandler(schemas.GetPromptRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    if (name !== PROMPT)
      throw new RpcError(200, INVALID_PARAMS, `Cannot get prompt: there is only ${PROMPT}`);
    const address = readAddress(args.address, "Cannot get prompt: `address` is not an IP address");
    const use = SCENARIOS.find((known) => known === args.use);
    if (use === undefined)
      throw new RpcError(200, INVALID_PARAMS, `Cannot get prompt: \`use\` is ${USE.description}`);
    const language = LANGUAGES.find((known) => known === args.lang) ?? "en";
    const ask = toolTextsOf(language).fitForUse({
      ip: address.text,
      use: reportTextsOf(language).scenarios[use],
    });
    return { messages: [{ role: "user", content: { type: "text", text: ask } }] };
  });
}

function readAddress(text: string | undefined, problem: string): Address {
  // A URI template writes the colons of IPv6 as %3A (RFC 6570).
  const address = parseAddress((text ?? "").replaceAll(/%3a/gi, ":").replace(/^\[(.*)\]$/, "$1"));
  if (address === undefined) throw new RpcError(200, INVALID_PARAMS, problem);
  return address;
}
