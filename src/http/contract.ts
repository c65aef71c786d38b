import * as v from "valibot";
import { CHECK_ACTIONS } from "#gate";
import { LANGUAGES, ReportSchema, SCENARIOS } from "#report";

/** Ratings, worst first. */
const RATINGS = [1, 2, 3, 4, 5] as const;

/** Values each choosable parameter or field may take. */
export const CHOICES = {
  refresh: ["1"],
  lang: LANGUAGES,
  format: ["text"],
  action: CHECK_ACTIONS,
  scenario: SCENARIOS,
  rating: RATINGS.map(String),
} as const;

/** Largest document a client may send. */
export const MAX_BODY_BYTES = 16_384;

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

const ip = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.description("IPv4 or IPv6 address; IPv6 may stand in square brackets, ::ffff:a.b.c.d counts as IPv4."),
  v.examples(["198.51.100.7", "2001:db8::7", "[2001:db8::7]"]),
);
const action = v.pipe(v.picklist(CHECK_ACTIONS), v.description("What the check is for."));

/** Parameters of `/api/lookup` and `/api/progress`. */
export const LookupQuerySchema = v.object({ ip, refresh, lang });

/** Parameters of `/api/challenge`. */
export const ChallengeQuerySchema = v.object({ ip, action, lang });

/** Parameters of what is written to. */
export const LanguageQuerySchema = v.object({ lang });

/** What `/api/verify` is sent. */
export const VerifyBodySchema = v.pipe(
  v.object({
    ip,
    action,
    payload: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.maxLength(MAX_BODY_BYTES),
      v.description("What the widget of the human check gave for its solution."),
    ),
  }),
  v.title("Solution"),
);

/** What `/api/feedback` is sent. */
export const FeedbackBodySchema = v.pipe(
  v.object({
    scenario: v.pipe(v.picklist(SCENARIOS), v.description("What the caller uses the address for.")),
    rating: v.pipe(
      v.picklist(RATINGS),
      v.description("5 very smooth, 4 usable, 3 barely usable, 2 often blocked, 1 unusable."),
    ),
  }),
  v.title("Rating"),
);

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

/** A person was told from a program. */
export const VerifiedSchema = v.pipe(
  v.object({
    verified: v.literal(true),
    expiresAt: v.pipe(v.string(), v.isoTimestamp(), v.description("Until when the pass is good.")),
  }),
  v.title("Verified"),
);

/** What visitors have said of an address by now. */
export const FeedbackSchema = v.pipe(
  v.object({ feedback: v.unwrap(ReportSchema.pipe[0].entries.feedback) }),
  v.title("Feedback"),
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
