/**
 * Splits one line of CSV (RFC 4180) into fields, in one pass; a quoted field may hold commas and doubled quotes.
 * A quote that never closes takes the rest of the line.
 */
export function splitCsvLine(line: string): string[] {
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    if (line[at] !== '"') {
      const comma = line.indexOf(",", at);
      fields.push(comma < 0 ? line.slice(at) : line.slice(at, comma));
      at = comma;
    } else {
      const from = ++at;
      while (at < line.length && (line[at] !== '"' || line[at + 1] === '"')) at += line[at] === '"' ? 2 : 1;
      fields.push(line.slice(from, at).replaceAll('""', '"'));
      at = line.indexOf(",", at);
    }
    if (at < 0) return fields;
  }
}
