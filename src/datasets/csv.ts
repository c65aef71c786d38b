import { DatasetError } from "./files.ts";

const MAX_FIELDS = 16;

/** One field of CSV: its text, the index after it, and the problem with its quotes, if there is one. */
interface Field {
  readonly text: string;
  readonly end: number;
  readonly problem?: string;
}

/**
 * Reads CSV (RFC 4180, newline or CR LF) record by record; skips empty lines. `line` is the one on which the record
 * begins, from 1. `file` is for messages.
 * @throws {DatasetError} naming file and line when a quote is misplaced, or there are too many fields.
 */
export function* readCsv(
  text: string,
  file: string,
): Generator<{ readonly fields: readonly string[]; readonly line: number }> {
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const lineEnd = matchLineEnd(text, at);
    if (lineEnd > 0) {
      at += lineEnd;
      line++;
      continue;
    }
    const fields: string[] = [];
    const begun = line;
    for (; ; at++) {
      if (fields.length === MAX_FIELDS) throw csvError(file, begun, "it has too many fields");
      const field = readField(text, at);
      if (field.problem !== undefined) throw csvError(file, begun, field.problem);
      fields.push(field.text);
      if (field.text.includes("\n")) line += field.text.split("\n").length - 1;
      at = field.end;
      if (text[at] !== ",") break;
    }
    yield { fields, line: begun };
  }
}

/** Creates the error about the record that begins on `line`. */
export function csvError(file: string, line: number, problem: string): DatasetError {
  return new DatasetError(`Cannot read "${file}": line ${line}: ${problem}`);
}

/**
 * Splits one line of CSV into fields and tolerates wrong quotes: a field whose quote never closes continues to the end
 * of the line, and text after a quoted field is dropped.
 */
export function splitCsvLine(line: string): string[] {
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    const field = readField(line, at);
    fields.push(field.text);
    at = line.indexOf(",", field.end);
    if (at < 0) return fields;
  }
}

function readField(text: string, at: number): Field {
  if (text[at] !== '"') {
    const end = findFieldEnd(text, at);
    const value = text.slice(at, end);
    return value.includes('"')
      ? { text: value, end, problem: "a quote inside a field that is not quoted" }
      : { text: value, end };
  }
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  const end = quote < 0 ? text.length : quote + 1;
  const value = text.slice(at + 1, quote < 0 ? end : quote).replaceAll('""', '"');
  if (quote < 0) return { text: value, end, problem: "a quoted field that does not end" };
  const isEnd = end === text.length || text[end] === "," || matchLineEnd(text, end) > 0;
  return isEnd ? { text: value, end } : { text: value, end, problem: "text behind a quoted field" };
}

/** Finds the index of the comma or line end after a field without quotes. */
function findFieldEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  const lineEnd =
    newline < 0 ? text.length : newline > at && text[newline - 1] === "\r" ? newline - 1 : newline;
  const comma = text.indexOf(",", at);
  return comma >= 0 && comma < lineEnd ? comma : lineEnd;
}

/** Returns the length of the line end at `at`: 0 for none, 1 for a newline, 2 for CR LF. */
function matchLineEnd(text: string, at: number): number {
  if (text[at] === "\n") return 1;
  return text[at] === "\r" && text[at + 1] === "\n" ? 2 : 0;
}
