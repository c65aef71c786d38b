/** An OpenAPI 3.1 document with one of everything that the docs page shows. */
export const SMALL_INTERFACE = {
  openapi: "3.1.0",
  info: {
    title: "limpid",
    version: "1",
    description: "One paragraph with `code`.\n\nAnother with an open ` mark.",
  },
  tags: [
    { name: "Reports", description: "About one address." },
    { name: "Verification", description: "" },
  ],
  paths: {
    "/ip/{ip}.json": {
      get: {
        operationId: "report",
        "x-in-english": true,
        tags: ["Reports"],
        summary: "The report <of> one address",
        description: "With `refresh=1` sources are asked again.",
        parameters: [
          {
            name: "ip",
            in: "path",
            required: true,
            description: "The address.",
            schema: { type: "string", examples: ["203.0.113.7"] },
          },
          { name: "refresh", in: "query", required: false, schema: { type: "string", enum: ["1"] } },
          {
            name: "min",
            in: "query",
            required: true,
            example: "70",
            schema: { type: "integer", minimum: 0, maximum: 100 },
          },
          { name: "accept", in: "header", schema: { type: "string", const: "text/plain" } },
        ],
        responses: {
          200: {
            description: "The report.",
            headers: {
              "x-request-id": { $ref: "#/components/headers/x-request-id" },
              "Retry-After": { schema: { type: "integer" } },
            },
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Report" },
                example: { ip: "203.0.113.7" },
              },
              "text/plain": { schema: { type: "string" }, example: "203.0.113.7\n" },
            },
          },
          400: {
            description: "Not an address.",
            headers: { "x-request-id": { $ref: "#/components/headers/x-request-id" } },
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Report" },
                examples: { invalid_ip: { value: { code: "invalid_ip" } } },
              },
            },
          },
        },
      },
    },
    "/api/verify": {
      post: {
        operationId: "verify",
        tags: ["Verification"],
        summary: "Submits a solution",
        description: "",
        requestBody: {
          content: {
            "application/json": { schema: { type: "object" }, example: { payload: "eyJhIjoxfQ" } },
          },
        },
        responses: { 204: { description: "Accepted." } },
      },
    },
  },
  components: {
    schemas: {
      Report: {
        description: "The document.",
        type: "object",
        required: ["ip", "risk"],
        properties: {
          ip: { type: "string", description: "The address." },
          geo: { anyOf: [{ type: "object", properties: { country: { type: "string" } } }, { type: "null" }] },
          risk: {
            type: "object",
            required: ["purity"],
            properties: {
              purity: { type: "integer", minimum: 0, maximum: 100 },
              factors: {
                type: "array",
                items: { type: "object", properties: { points: { type: "number", minimum: 0 } } },
              },
            },
          },
          feedback: { type: "object", additionalProperties: { type: "object", properties: { count: {} } } },
          score: { type: ["integer", "null"] },
        },
      },
    },
    headers: { "x-request-id": { description: "Name of the request.", example: "0198c7d2f3" } },
    securitySchemes: {
      pass: { type: "apiKey", in: "cookie", name: "limpid_pass", description: "A pass." },
      operator: { type: "http", scheme: "bearer" },
    },
  },
} as const;
