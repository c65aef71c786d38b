import * as v from "valibot";
import { reportUrlOf } from "#render";
import { type Pass, VERIFICATION_ACTIONS } from "#verification";
import type { HttpContext } from "../context.ts";
import { described, ip, lang, titled } from "../parameters.ts";
import { takeLookup } from "../plugins/limits.ts";
import { MAX_BODY_BYTES, readOwnBody } from "../plugins/own_pages.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { mirrorNotFound, refuse, refuseWith } from "../problem.ts";
import { jsonReply } from "../reply.ts";
import { json, operation, problems } from "../responses.ts";

const action = described(v.picklist(VERIFICATION_ACTIONS), "What the verification is for.");

const Solution = v.pipe(
  v.object({
    ip,
    action,
    payload: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.maxLength(MAX_BODY_BYTES),
      v.description("The solution, as the widget of the verification returns it."),
    ),
  }),
  v.title("Solution"),
  v.metadata({ examples: [{ ip: "198.51.100.7", action: "lookup", payload: "eyJjaGFsbGVuZ2UiOnt9fQ" }] }),
);

const Verified = titled("Verified", {
  verified: v.literal(true),
  expiresAt: v.pipe(v.string(), v.isoTimestamp(), v.description("When the pass expires.")),
});

/** For answers that only pages of this site may read and no cache may keep. */
const OWN = { cacheControl: "no-store", shared: false } as const;

/** `/api/challenge`: the first half of the human verification. */
export function challengeRoute(path: string, context: HttpContext) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      const { mirror, verification } = context;
      if (mirror !== undefined)
        return refuseWith<404>(mirrorNotFound(mirror, requestContext.language, { reason: "write" }));
      const refused = takeLookup(context, requestContext);
      if (refused !== undefined) return refused;
      const challenge = await verification.createChallenge({
        address: query.ip.text,
        action: query.action,
      });
      return challenge === undefined ? refuse("not_found") : jsonReply(challenge, OWN);
    },
    {
      query: v.object({ ip, action, lang }),
      response: {
        200: json("The challenge.", v.unknown(), { isCacheable: false, shared: false }),
        ...problems("lookup", "json", [404]),
      },
      detail: operation("getChallenge"),
    },
  );
}

/** `POST /api/verify`: the second half; a solution that passes sets the cookie of a pass. */
export function verifyRoute(path: string, context: HttpContext) {
  return createRoutes()
    .model({ Solution, Verified })
    .post(
      path,
      async ({ body, requestContext }) => {
        const address = body.ip.text;
        const result = await context.verification.verify({ address, action: body.action }, body.payload);
        if (result !== "passed") {
          const reportUrl = reportUrlOf(context.baseUrl, address, requestContext.language);
          return refuse("forbidden", { data: { reason: result }, reportUrl });
        }
        const { pass, cookie } = context.passes.issue();
        const headers = { "set-cookie": cookieHeader(cookie, pass, context) };
        const document = { verified: true, expiresAt: new Date(pass.expiresAt).toISOString() } as const;
        return jsonReply(document, { ...OWN, headers });
      },
      {
        parse: [readOwnBody(context), "json"],
        query: v.object({ lang }),
        body: Solution,
        response: {
          200: json("The visitor is verified and has a pass.", Verified, {
            headers: ["Set-Cookie"],
            isCacheable: false,
            shared: false,
            example: { verified: true, expiresAt: "2026-01-15T09:00:00.000Z" },
          }),
          ...problems("lookup", "json", [403, 404, 413], {
            access: "private",
            reasons: ["failed", "expired", "replayed", "unavailable", "cross_site"],
          }),
        },
        detail: operation("verifyVisitor"),
      },
    );
}

/** The cookie is sent with our pages and links to them, and no script can read it (RFC 6265bis, 4.1). */
function cookieHeader(value: string, pass: Pass, { baseUrl, now }: HttpContext): string {
  const seconds = Math.max(0, Math.round((pass.expiresAt - now()) / 1000));
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `limpid_pass=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}${secure}`;
}
