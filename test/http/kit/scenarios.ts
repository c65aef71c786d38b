import { describe, expect, test } from "bun:test";
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
