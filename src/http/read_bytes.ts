import { MAX_BODY_BYTES } from "./contract.ts";
import { HttpProblem } from "./http_problem.ts";

/**
 * Reads a body of at most 16 kB. The announced length is only a promise: what counts is what comes.
 * @throws {HttpProblem} `too_large` (413)
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): HttpProblem {
  return new HttpProblem("too_large", { status: 413 });
}
