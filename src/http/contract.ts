import * as v from "valibot";
import { LANGUAGES } from "#report";

/** Values each choosable parameter may take. */
export const CHOICES = { refresh: ["1"], lang: LANGUAGES, format: ["text"] } as const;

const refresh = v.exactOptional(
  v.pipe(
    v.picklist(CHOICES.refresh),
    v.description(
      "Ignores cache and database and asks every source again. Needs human verification; 5 a minute per client.",
    ),
  ),
);
const lang = v.exactOptional(
  v.pipe(
    v.picklist(CHOICES.lang),
    v.description("Language of the texts; Chinese without it. An `/en` path prefix wins."),
  ),
);

/** Parameters of `/api/lookup`. */
export const LookupQuerySchema = v.object({
  ip: v.pipe(
    v.string(),
    v.maxLength(2048),
    v.description("IPv4 or IPv6 address; IPv6 may stand in square brackets, ::ffff:a.b.c.d counts as IPv4."),
    v.examples(["198.51.100.7", "2001:db8::7", "[2001:db8::7]"]),
  ),
  refresh,
  lang,
});

/** Parameters of the paths under `/ip/` and `/en/ip/`. */
export const ReportQuerySchema = v.object({ refresh, lang });

/** Parameters of `/api/myip`. */
export const MyIpQuerySchema = v.object({
  format: v.exactOptional(
    v.pipe(v.picklist(CHOICES.format), v.description("The bare address and a newline instead of JSON.")),
  ),
});

/** Parameters of the front page. */
export const HomeQuerySchema = v.object({
  ip: v.exactOptional(v.pipe(v.string(), v.description("Leads on to this address's report page."))),
});

/** The caller's public address. */
export const MyIpSchema = v.pipe(
  v.object({
    ip: v.pipe(v.string(), v.description("The address this request came from, in canonical form.")),
  }),
  v.title("MyIp"),
);

/** The process answers. */
export const HealthSchema = v.pipe(
  v.object({
    status: v.literal("ok"),
    version: v.pipe(v.string(), v.description("Version of the program.")),
  }),
  v.title("Health"),
);

/** Whether the service can do its work, by check. */
export const ReadinessSchema = v.pipe(
  v.object({ ready: v.boolean(), checks: v.record(v.string(), v.object({ ok: v.boolean() })) }),
  v.title("Readiness"),
);
