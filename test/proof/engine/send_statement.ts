/**
 * Sends one statement over the HTTP interface of a libSQL server. Returns the first value of the result as text, "" when
 * there is none, or undefined when the server refuses or does not answer in time.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
export async function sendStatement(
  url: string,
  sql: string,
  deadlineMs: number,
): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/v2/pipeline`, {
      method: "POST",
      body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql } }, { type: "close" }] }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const { results } = (await response.json()) as {
      results?: { response?: { result?: { rows: { value?: string }[][] } } }[];
    };
    const result = results?.[0]?.response?.result;
    return result === undefined ? undefined : (result.rows[0]?.[0]?.value ?? "");
  } catch {
    return undefined;
  }
}
