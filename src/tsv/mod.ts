/**
 * Reads a table that ships with the program: lines of tab-separated fields, of which the first names the columns. A line
 * that begins with `#` is a comment. No field has quotation marks or escapes.
 * @throws Error that names the line when the columns are not `columns`, or a row has another number of fields. The
 * tables are read when the program starts, not later.
 */
export function readTsv<const Column extends string>(
  text: string,
  columns: readonly Column[],
): readonly Readonly<Record<Column, string>>[] {
  const [head, ...rows] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (head !== columns.join("\t"))
    throw new Error(`Cannot read "${head}": the columns are ${columns.join(", ")}`);
  return rows.map((line) => {
    const fields = line.split("\t");
    if (fields.length !== columns.length)
      throw new Error(`Cannot read "${line}": it has ${fields.length} fields`);
    return Object.fromEntries(columns.map((column, at) => [column, fields[at]])) as Record<Column, string>;
  });
}
