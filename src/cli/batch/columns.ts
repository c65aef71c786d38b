import { EXIT, ExitError } from "#app";

/** Returns the part of a line that has the address, or undefined for a line that has none: the header. */
export type ReadCell = (line: string) => string | undefined;

const NUMBER = /^[1-9]\d{0,3}$/;
const MAX_COLUMNS = 9999;
const MAX_SHOWN_NAMES = 200;

/**
 * Creates the function that reads one column: a number from 1, or a name in the first line. The first line that is not
 * blank and no comment decides what separates columns: a tab, comma, semicolon or vertical bar, the first of these that
 * it has, else blanks. If it begins with `{`, every line is a JSON object and the column is a path such as
 * `request.client_ip`. A first line without a digit in a numbered column is a header. Quotes are those of RFC 4180; a
 * quoted cell that continues on the next line is not supported.
 */
export function createCellReader(column: string): ReadCell {
  let read: ReadCell | undefined;

  function start(line: string): string | undefined {
    if (line.trimStart().startsWith("{")) {
      if (NUMBER.test(column)) {
        throw new ExitError(
          EXIT.usage,
          `Cannot read --column ${column}: a line of JSON has names, no numbers`,
        );
      }
      read = (next) => readJson(next, column);
      return read(line);
    }
    const separator = ["\t", ",", ";", "|"].find((one) => line.includes(one));
    const first = splitCells(line, separator);
    const isNumber = NUMBER.test(column);
    const wanted = column.toLowerCase();
    const index = isNumber ? Number(column) - 1 : first.findIndex((name) => name.toLowerCase() === wanted);
    const shown = JSON.stringify(first.join(", ").slice(0, MAX_SHOWN_NAMES));
    if (index === -1)
      throw new ExitError(EXIT.usage, `Cannot find column "${column}": the first line has ${shown}`);
    read = (next) => splitCells(next, separator, index + 1)[index] ?? "";
    const cell = first[index] ?? "";
    return isNumber && /\d/.test(cell) ? cell : undefined;
  }

  return (line) => {
    if (read !== undefined) return read(line);
    return line.trim() === "" || line.trimStart().startsWith("#") ? undefined : start(line);
  };
}

/** Splits a line into its first cells, without blanks around them. A quoted cell that never closes is the last one. */
function splitCells(line: string, separator: string | undefined, most = MAX_COLUMNS): readonly string[] {
  if (separator === undefined) return line.trim().split(/[ \t]+/, most);
  if (!line.includes('"')) return line.split(separator, most).map((cell) => cell.trim());
  const cells: string[] = [];
  for (let at = 0; at <= line.length && cells.length < most; ) {
    let from = at;
    if (line[at] === '"') {
      from = line.indexOf('"', at + 1);
      while (from !== -1 && line[from + 1] === '"') from = line.indexOf('"', from + 2);
      if (from === -1) from = line.length;
      cells.push(
        line
          .slice(at + 1, from)
          .replaceAll('""', '"')
          .trim(),
      );
    }
    const next = line.indexOf(separator, from);
    const end = next === -1 ? line.length : next;
    if (line[at] !== '"') cells.push(line.slice(at, end).trim());
    at = end + 1;
  }
  return cells;
}

/** Returns the text at a path of names and positions, or the texts of a list; nothing if there is none. */
function readJson(line: string, path: string): string {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && Object.hasOwn(value, path)) {
      return textOf(Reflect.get(value, path));
    }
    return textOf(valueAt(value, path));
  } catch {
    return "";
  }
}

/** The value at a path of names and positions; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(" ");
  return typeof value === "string" ? value : "";
}
