import * as v from "valibot";
import { CHOICES } from "./contract.ts";
import { HttpProblem } from "./http_problem.ts";
import { readBytes } from "./read_bytes.ts";

/**
 * Reads a small JSON document that a client sent. Unknown fields are ignored.
 * @throws {HttpProblem} `too_large` (413) beyond 16 kB, `invalid_parameter` for another media type, for what is no
 * JSON object, and for a field that is missing or cannot be; `invalid_ip` for an address that is no text.
 */
export async function readBody<const Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json[ \t]*(?:;|$)/i.test(type)) {
    throw new HttpProblem("invalid_parameter", {
      data: { parameter: "Content-Type", value: type, allowed: ["application/json"] },
    });
  }
  const parsed = v.safeParse(schema, parseJson(await readBytes(request)));
  if (parsed.success) return parsed.output;
  const parameter = String(parsed.issues[0].path?.[0]?.key ?? "");
  if (parameter === "ip") throw new HttpProblem("invalid_ip");
  const choices: Readonly<Record<string, readonly string[]>> = CHOICES;
  const allowed = Object.hasOwn(choices, parameter) ? (choices[parameter] ?? []) : [];
  throw new HttpProblem("invalid_parameter", { data: { parameter, allowed } });
}

function parseJson(bytes: Uint8Array): unknown {
  const document = decodeJson(bytes);
  if (typeof document === "object" && document !== null && !Array.isArray(document)) return document;
  throw new HttpProblem("invalid_parameter", { data: { parameter: "body", allowed: [] } });
}

function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
