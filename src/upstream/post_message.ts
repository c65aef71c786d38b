import { routeThrough } from "./http_client.ts";

const TIMEOUT_MS = 15_000;

/**
 * Sends one POST to an http or https URL of the operator, and returns the status of the answer. Follows no redirect and
 * reads no body. With a gateway, the request goes to `GATEWAY/HOST/PATH?QUERY`.
 * @throws {Error} with a short reason without the URL, which may contain a key.
 */
export async function postMessage(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  gateway?: string,
): Promise<number> {
  const target = gateway === undefined ? url : routeThrough(gateway, new URL(url));
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new Error(isLate ? "it does not answer in time" : "the connection failed");
  }
}
