/** A Fastify service as its documentation writes one: `serve_fastify.mjs LOOKUP.mjs FOLDER`, on a free port. */
import fastify from "fastify";

const [lookupModule, folder] = process.argv.slice(2);
const { openLookup } = await import(lookupModule);
const lookUp = await openLookup(folder);
const server = fastify();
const response = {
  200: {
    type: "object",
    properties: {
      ip: { type: "string" },
      country: { type: ["string", "null"] },
      asn: { type: ["integer", "null"] },
      asName: { type: ["string", "null"] },
    },
  },
};
server.get("/api/lookup", { schema: { response } }, (request, reply) => {
  const found = lookUp(request.query.ip);
  if (found === undefined) return reply.code(400).send({ error: "not an address" });
  return found;
});
console.log(await server.listen({ port: 0, host: "127.0.0.1" }));
