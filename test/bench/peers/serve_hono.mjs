/** A Hono service on Bun as its documentation writes one: `serve_hono.mjs LOOKUP.mjs FOLDER`, on a free port. */
import { Hono } from "hono";

const [lookupModule, folder] = process.argv.slice(2);
const { openLookup } = await import(lookupModule);
const lookUp = await openLookup(folder);
const app = new Hono();
app.get("/api/lookup", (context) => {
  const found = lookUp(context.req.query("ip"));
  return found === undefined ? context.json({ error: "not an address" }, 400) : context.json(found);
});
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
console.log(server.url.origin);
