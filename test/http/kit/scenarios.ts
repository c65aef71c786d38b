import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AppOptions, type Call, openApp, openShared } from "./open_app.ts";

/** What an answer must be. */
interface Expectation {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** Fields of a JSON body, or a pattern of a text. */
  readonly body?: object | RegExp | string;
  /** Parts of the text. */
  readonly has?: readonly string[];
  readonly not?: RegExp;
  /** The code of a problem. */
  readonly code?: string;
  /** What is left of the open allowance. */
  readonly left?: number;
}

/** The parts of a request. */
interface Asking {
  readonly target: string;
  /** Calls this tool of the MCP endpoint, with these arguments. */
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A text, or a document that is sent as JSON. */
  readonly body?: unknown;
}

/** One request and the expected answer, or its status alone. */
interface Exchange {
  readonly request: string | Asking;
  readonly expect: number | Expectation;
}

/** What the clients of a scenario do one after another. */
interface Step extends Exchange {
  /** The client of this step and of all later ones. */
  readonly from?: string;
  /** Milliseconds that pass before the request. */
  readonly wait?: number;
  /** Sends a pass, the same in the whole scenario. */
  readonly pass?: true;
  /** How many times the request is sent; absent = once. */
  readonly times?: number;
}

interface Common {
  readonly name: string;
  readonly options?: AppOptions;
  /** The expected addresses of lookups, or whole calls, or their number. */
  readonly calls?: readonly (string | Call)[] | number;
  /** The expected lines of the log, each as its level and event. */
  readonly logs?: readonly string[];
}

/** One exchange, or several with an app of their own. */
export type Scenario = Common & (Exchange | { readonly steps: readonly Step[] });

async function play(scenario: Scenario): Promise<void> {
  const isOne = "request" in scenario;
  const testApp = isOne ? openShared(scenario.options) : openApp(scenario.options);
  let pass: ReturnType<typeof testApp.newPass> | undefined;
  for (const [at, step] of (isOne ? [scenario as Step] : scenario.steps).entries()) {
    if (step.from !== undefined) testApp.from(step.from);
    if (step.wait !== undefined) testApp.clock.advance(step.wait);
    if (step.pass === true) pass ??= testApp.newPass();
    const cookie = (step.pass === true && pass) || {};
    for (let times = 0; times < (step.times ?? 1); times++) await exchange(testApp, step, cookie, at + 1);
  }
  const { calls = isOne ? [] : undefined } = scenario;
  if (typeof calls === "number") expect(testApp.calls).toHaveLength(calls);
  else if (calls !== undefined)
    expect(testApp.calls.map((call, at) => (typeof calls[at] === "object" ? call : call.address))).toEqual([
      ...calls,
    ]);
  if (scenario.logs !== undefined)
    expect(testApp.logs.map(({ level, event }) => `${level} ${event}`)).toEqual([...scenario.logs]);
}

async function exchange(
  testApp: ReturnType<typeof openApp>,
  { request, expect: expected }: Exchange,
  cookie: Record<string, string>,
  number: number,
): Promise<void> {
  const asking: Asking = typeof request === "string" ? { target: request } : request;
  const {
    target,
    method = "GET",
    headers,
    body: sent,
  } = asking.tool === undefined ? asking : toolCall(asking);
  const isDocument = typeof sent === "object";
  const response = await testApp.ask(target, {
    method,
    headers: { ...(isDocument ? { "content-type": "application/json" } : {}), ...cookie, ...headers },
    ...(sent === undefined ? {} : { body: isDocument ? JSON.stringify(sent) : String(sent) }),
  });
  const wanted: Expectation = typeof expected === "number" ? { status: expected } : expected;
  const body = await response.text();
  const asked = `step ${number}, ${method} ${target}`;
  expect(response.status, `${asked}: ${body}`).toBe(wanted.status);
  const expectedHeaders: Expectation["headers"] = {
    ...wanted.headers,
    ...(wanted.left === undefined ? {} : { "x-open-budget-remaining": String(wanted.left) }),
  };
  for (const [name, value] of Object.entries(expectedHeaders)) {
    const found = response.headers.get(name);
    if (value instanceof RegExp) expect(found, `${asked}: ${name}`).toMatch(value);
    else expect(found, `${asked}: ${name}`).toBe(value);
  }
  if (wanted.body instanceof RegExp) expect(body, asked).toMatch(wanted.body);
  else if (typeof wanted.body === "string") expect(body, asked).toBe(wanted.body);
  else if (wanted.body !== undefined) expect(JSON.parse(body), asked).toMatchObject(wanted.body);
  for (const part of wanted.has ?? []) expect(body, asked).toContain(part);
  if (wanted.not !== undefined) expect(body, asked).not.toMatch(wanted.not);
  if (wanted.code !== undefined) expect(JSON.parse(body), asked).toMatchObject({ code: wanted.code });
}

function toolCall({ target, tool, arguments: given = {} }: Asking): Asking {
  return {
    target,
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: given } },
  };
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
 * `{"use": PART}` stands for a part that JSON cannot write, such as a lookup. A scenario with `each` is one for each row
 * of it: `$0` stands for the first value of the row, `$1` for the second.
 */
export function tables(name: string, parts: Readonly<Record<string, unknown>> = {}): void {
  const path = join(import.meta.dir, `../../fixtures/http/${name}.json`);
  const read = (_: string, value: ReturnType<typeof JSON.parse>) => {
    if (typeof value?.matches === "string") return new RegExp(value.matches, value.flags);
    if (typeof value?.like === "string") return expect.stringMatching(new RegExp(value.like));
    if (typeof value?.contains === "string") return expect.stringContaining(value.contains);
    if (typeof value?.use !== "string") return value;
    return parts[value.use] ?? expect.unreachable(`no part "${value.use}"`);
  };
  const titles: Record<string, readonly { readonly each?: readonly unknown[] }[]> = JSON.parse(
    readFileSync(path, "utf8"),
  );
  for (const [title, written] of Object.entries(titles)) {
    const texts = written.flatMap(({ each, ...scenario }) =>
      each === undefined
        ? [JSON.stringify(scenario)]
        : each.map((row) => fillIn(JSON.stringify(scenario), Array.isArray(row) ? row : [row])),
    );
    // A scenario with a wrong field fails its own test.
    table(
      title,
      texts.map((text) => JSON.parse(text, read) as Scenario),
    );
  }
}

/** Puts the values of a row into the JSON of a scenario: a whole value as it is, a text also inside of another text. */
function fillIn(scenario: string, row: readonly unknown[]): string {
  return row.reduce((text: string, value, at) => {
    const whole = text.replaceAll(`"$${at}"`, () => JSON.stringify(value));
    const part = typeof value === "string" ? value : JSON.stringify(value);
    return whole.replaceAll(`$${at}`, () => JSON.stringify(part).slice(1, -1));
  }, scenario);
}
