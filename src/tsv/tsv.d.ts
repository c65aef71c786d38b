/** A table of tab-separated fields, imported with `{ type: "text" }` so that it is inside the compiled program. */
declare module "*.tsv" {
  const text: string;
  export default text;
}
