import { rememberBy } from "#common";
import { within } from "#concurrency";
import { describeFacts, type TableClassifier, type TableFacts } from "#lookup";
import { isNetworkText, type NetworkProblem, type Networks, summarizeText } from "#network";

/** Longest line in characters; an address has at most 47. */
export const MAX_LINE_LENGTH = 1024;

/** The part of a wrong line that its answer repeats. */
const SHOWN_LENGTH = 64;

/** Characters of the rows that are sent at once. */
const ROWS_LENGTH = 65_536;

/** The event loop is blocked for about this long at most, then other requests have their turn. */
const TURN_MS = 5;

/** Lines between two looks at the clock. */
const LINES_A_LOOK = 64;

/** Why a line has no facts, or the lines end too early. */
export type LineProblem =
  | "invalid_ip"
  | "line_too_long"
  | "timeout"
  | "incomplete_body"
  | NetworkProblem
  | "not_announced"
  | "unavailable";

/** Formats the answer about one address at once, or about a network, as one JSON object without a line feed. */
export type FormatLine = (text: string) => string | Promise<string>;

/** Creates a {@link FormatLine}. The text of facts is made once: many addresses share them. */
export function createLineFormat(
  classifier: Pick<TableClassifier, "classifyText">,
  networks?: Networks,
): FormatLine {
  const restOf = rememberBy((facts: TableFacts) => JSON.stringify(describeFacts(facts)).slice(1));
  return (text) => {
    const classified = classifier.classifyText(text);
    if (classified === undefined)
      return networks !== undefined && isNetworkText(text)
        ? formatNetwork(text, networks)
        : formatProblem("invalid_ip", text);
    return `{"ip":"${classified.ip}",${restOf(classified.facts)}`;
  };
}

/** Formats the summary of a prefix or of an AS. Other requests have their turn before it. */
async function formatNetwork(text: string, networks: Networks): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  const summary = await summarizeText(text, networks);
  return typeof summary === "string" ? formatProblem(summary, text) : JSON.stringify(summary);
}

function formatProblem(error: LineProblem, input?: string): string {
  return JSON.stringify({
    ...(input === undefined ? {} : { input: input.slice(0, SHOWN_LENGTH).toWellFormed() }),
    error,
  });
}

/** Formats many texts, with pauses for other requests. */
export async function formatAll(texts: readonly string[], format: FormatLine): Promise<readonly string[]> {
  const rows: string[] = [];
  const pause = createPause();
  for (const text of texts) {
    const row = format(text);
    rows.push(typeof row === "string" ? row : await row);
    if (pause.isDue()) await pause.wait();
  }
  return rows;
}

/**
 * Answers each line of a body with one line, while the body arrives. Bounded: a part of the body is read only when the
 * client has read the answers before it. `stallMs`: when the client sends nothing for this long, the last line says
 * `timeout`; when it reads nothing for this long, the stream fails. `onEnd` is called once.
 */
export function classifyLines(
  body: ReadableStream<Uint8Array>,
  format: FormatLine,
  { stallMs, onEnd }: { readonly stallMs: number; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const rows = formatRows(reader, format, stallMs);
  const encoder = new TextEncoder();
  let timer: Timer | undefined;
  let isOver = false;

  function end(): void {
    clearTimeout(timer);
    if (isOver) return;
    isOver = true;
    void reader.cancel().catch(() => {});
    onEnd();
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(timer);
      const { value } = await rows.next();
      if (value === undefined) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(value));
      timer = setTimeout(() => {
        end();
        controller.error(new DOMException("The client reads nothing", "TimeoutError"));
      }, stallMs);
    },
    cancel: end,
  });
}

/** Reads the parts of a body; `undefined` is its end. */
interface PartReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
}

/** The rows of the answers, some at once. What is answered is sent before the next part of the body is waited for. */
async function* formatRows(
  reader: PartReader,
  format: FormatLine,
  stallMs: number,
): AsyncGenerator<string, undefined> {
  const lines = createLines();
  const pause = createPause();
  for (;;) {
    const part = await readPart(reader, stallMs);
    let rows = "";
    for (const line of part instanceof Uint8Array ? lines.add(part) : lines.finish()) {
      const row = line === undefined ? formatProblem("line_too_long") : format(line);
      rows += `${typeof row === "string" ? row : await row}\n`;
      if (pause.isDue()) await pause.wait();
      if (rows.length < ROWS_LENGTH) continue;
      yield rows;
      rows = "";
    }
    if (typeof part === "string") rows += `${formatProblem(part)}\n`;
    if (rows !== "") yield rows;
    if (!(part instanceof Uint8Array)) return undefined;
  }
}

/** The next part of a body, "timeout" if none comes in time, "incomplete_body" if the connection breaks. */
async function readPart(reader: PartReader, stallMs: number): Promise<Uint8Array | undefined | LineProblem> {
  try {
    const part = await within(reader.read(), stallMs);
    return part === undefined ? "timeout" : part.value;
  } catch {
    return "incomplete_body";
  }
}

/** Cuts a body into lines; `undefined` stands for a line that is too long. Keeps at most one line in memory. */
function createLines() {
  const decoder = new TextDecoder();
  let rest = "";
  let isSkipping = false;

  function* cut(text: string): Generator<string | undefined> {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const line = rest + text.slice(from, at);
      from = at + 1;
      rest = "";
      yield isSkipping || line.length > MAX_LINE_LENGTH ? undefined : line.trim();
      isSkipping = false;
    }
    rest += text.slice(from, from + MAX_LINE_LENGTH + 1);
    if (rest.length <= MAX_LINE_LENGTH) return;
    isSkipping = true;
    rest = "";
  }

  return {
    add: (part: Uint8Array) => cut(decoder.decode(part, { stream: true })),
    *finish(): Generator<string | undefined> {
      yield* cut(decoder.decode());
      if (isSkipping) yield undefined;
      else if (rest !== "") yield rest.trim();
      rest = "";
    },
  };
}

/** Decides when a long work lets others have their turn. */
function createPause() {
  let count = 0;
  let since = performance.now();
  return {
    isDue: () => ++count % LINES_A_LOOK === 0 && performance.now() - since > TURN_MS,
    async wait() {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    },
  };
}
