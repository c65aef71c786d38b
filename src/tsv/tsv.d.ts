/** A table of tab-separated fields, imported with `{ type: "text" }` so that it is inside the compiled program. */
declare module "*.tsv" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the import of a text has no other name
  export default text;
}
