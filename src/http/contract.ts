import * as v from "valibot";
import { LANGUAGES, ProblemSchema, ReportSchema, SCENARIOS } from "#report";
import { VERIFICATION_ACTIONS } from "#verification";

/** Ratings, worst first. */
const RATINGS = [1, 2, 3, 4, 5] as const;

/** Values each choosable parameter or field may take. */
export const CHOICES = {
  refresh: ["1"],
  lang: LANGUAGES,
  format: ["text"],
  action: VERIFICATION_ACTIONS,
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
const action = v.pipe(v.picklist(VERIFICATION_ACTIONS), v.description("What the check is for."));

/** Parameters of `/api/lookup` and `/api/progress`. */
export const LookupQuerySchema = v.object({ ip, refresh, lang });

const ips = v.pipe(
  v.string(),
  v.description("2 to 5 addresses, separated by commas; IPv6 may stand in square brackets."),
  v.examples(["198.51.100.7,203.0.113.66"]),
);

/** Parameters of `/api/compare`. */
export const CompareQuerySchema = v.object({ ips, lang });

/** Parameters of the comparison's page: whatever people paste. */
export const ComparePageQuerySchema = v.object({
  ips: v.exactOptional(
    v.pipe(v.string(), v.description("Up to 5 addresses, as people paste them; without it the empty form.")),
  ),
  lang,
});

/** Parameters of `/api/history`. */
export const HistoryQuerySchema = v.object({ ip, lang });

/** Parameters of `/cli/{ip}`. */
export const TerminalQuerySchema = v.object({
  refresh,
  lang,
  color: v.exactOptional(
    v.pipe(v.picklist(["0", "1"]), v.description("`0` sends no escape sequence; coloured without it.")),
  ),
  format: v.exactOptional(
    v.pipe(
      v.picklist(["line"]),
      v.description(
        "One line of ASCII in a fixed order: purity, band, usage type, native type, country, flags, confidence.",
      ),
    ),
  ),
});

/** Parameters of `/gate/{ip}`. */
export const GateQuerySchema = v.object({
  scenario: v.exactOptional(
    v.pipe(v.picklist(SCENARIOS), v.description("The use whose score decides; the purity without it.")),
  ),
  min: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^(?:100|[1-9]?\d)$/),
      v.transform(Number),
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(100),
      v.description("Least score that passes, 0 to 100; 70 without it."),
    ),
  ),
  status: v.exactOptional(
    v.pipe(
      v.picklist(["200"]),
      v.description(
        "Answers PASS, FAIL and UNKNOWN alike with 200, for clients that see bodies only. Errors keep their status.",
      ),
    ),
  ),
  lang,
});

/** Parameters of the paths under `/ip/` that only show what is stored. */
export const BadgeQuerySchema = v.object({ lang });

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
  ip: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        "Whatever people paste: leads on to the report of the address in it, or to the comparison of several.",
      ),
    ),
  ),
});

/** The caller's public address. */
export const MyIpSchema = v.pipe(
  v.object({
    ip: v.pipe(v.string(), v.description("The address this request came from, in canonical form.")),
  }),
  v.title("MyIp"),
);

/** What was concluded of an address before. */
export const HistorySchema = v.pipe(
  v.object({
    ip: v.pipe(v.string(), v.description("Normalised address.")),
    entries: v.pipe(
      v.array(
        v.object({
          date: v.pipe(v.string(), v.isoTimestamp(), v.description("When the sources were asked.")),
          purity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
          band: v.pipe(v.string(), v.description("As in `risk.level`, at that time.")),
          scoringVersion: v.pipe(
            v.number(),
            v.integer(),
            v.description("Scores of different versions do not compare directly."),
          ),
        }),
      ),
      v.description("Newest first, 50 at most; empty for an address that is not stored."),
    ),
  }),
  v.title("History"),
);

/** Reports side by side, and what could not be had. */
export const ComparisonSchema = v.pipe(
  v.object({
    reports: v.pipe(v.array(ReportSchema), v.description("In the order asked for.")),
    problems: v.pipe(
      v.array(
        v.object({
          ip: v.pipe(v.string(), v.description("As it was asked for.")),
          problem: ProblemSchema,
        }),
      ),
      v.description(
        "Addresses without a report here, each with the reason. Nothing is known of them from this.",
      ),
    ),
  }),
  v.title("Comparison"),
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

const ReadinessCheckSchema = v.object({
  ok: v.boolean(),
  lagSeconds: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.description("On a mirror: seconds since it last held all of its primary."),
    ),
  ),
  frame: v.exactOptional(
    v.pipe(v.number(), v.description("On a mirror: the last page of the primary's log that it has.")),
  ),
});

/** Whether the service can do its work, by check. */
export const ReadinessSchema = v.pipe(
  v.object({ ready: v.boolean(), checks: v.record(v.string(), ReadinessCheckSchema) }),
  v.title("Readiness"),
);
