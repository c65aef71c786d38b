import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AppOptions, openShared } from "./open_app.ts";

/** One request and the expected answer. */
export interface Scenario {
  readonly name: string;
  readonly options?: AppOptions;
  readonly request:
    | string
    | {
        readonly target: string;
        readonly method?: string;
        readonly headers?: Record<string, string>;
        readonly body?: string;
      };
  readonly expect: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string | RegExp | null>>;
    /** Fields of a JSON body, or a pattern of a text. */
    readonly body?: Readonly<Record<string, unknown>> | RegExp | string;
    readonly not?: RegExp;
  };
  /** The expected addresses of lookups. */
  readonly calls?: readonly string[];
}

async function play(scenario: Scenario): Promise<void> {
  const testApp = openShared(scenario.options);
  const { request } = scenario;
  const response =
    typeof request === "string"
      ? await testApp.ask(request)
      : await testApp.ask(request.target, {
          method: request.method ?? "GET",
          headers: request.headers ?? {},
          ...(request.body === undefined ? {} : { body: request.body }),
        });
  const body = await response.text();
  expect(response.status, body).toBe(scenario.expect.status);
  for (const [name, wanted] of Object.entries(scenario.expect.headers ?? {})) {
    const value = response.headers.get(name);
    if (wanted instanceof RegExp) expect(value, name).toMatch(wanted);
    else expect(value, name).toBe(wanted);
  }
  const wanted = scenario.expect.body;
  if (wanted instanceof RegExp) expect(body).toMatch(wanted);
  else if (typeof wanted === "string") expect(body).toBe(wanted);
  else if (wanted !== undefined) expect(JSON.parse(body)).toMatchObject(wanted);
  if (scenario.expect.not !== undefined) expect(body).not.toMatch(scenario.expect.not);
  expect(testApp.calls.map((call) => call.address)).toEqual([...(scenario.calls ?? [])]);
}

/** Defines a test for each scenario, which also checks the answer against the description. */
export function table(title: string, scenarios: readonly Scenario[]): void {
  describe(title, () => {
    for (const scenario of scenarios) test(scenario.name, () => play(scenario));
  });
}

/**
 * Defines a test for each scenario of `test/fixtures/http/NAME.json`, an object of scenarios by title. A pattern of a text
 * is written as `{"matches": SOURCE, "flags": FLAGS}`, one of a field as `{"like": SOURCE}` or `{"contains": TEXT}`, and
 * `{"use": PART}` stands for a part that JSON cannot write, such as a lookup.
 */
export function tables(name: string, parts: Readonly<Record<string, unknown>> = {}): void {
  const path = join(import.meta.dir, `../../fixtures/http/${name}.json`);
  const titles = JSON.parse(readFileSync(path, "utf8"), (_, value) => {
    if (typeof value?.matches === "string") return new RegExp(value.matches, value.flags);
    if (typeof value?.like === "string") return expect.stringMatching(new RegExp(value.like));
    if (typeof value?.contains === "string") return expect.stringContaining(value.contains);
    if (typeof value?.use !== "string") return value;
    return parts[value.use] ?? expect.unreachable(`no part "${value.use}"`);
  });
  // A scenario with a wrong field fails its own test.
  for (const [title, scenarios] of Object.entries(titles)) table(title, scenarios as Scenario[]);
}
