import type { Data } from "#report";
import { factList, factText, findNumber, findText } from "../facts.ts";
import type { ProblemTexts } from "../report_texts.ts";

function retryHint(data: Data): string {
  const seconds = findNumber(data, "retryAfterSeconds");
  return seconds === undefined
    ? "Please retry later."
    : `Please retry in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

function verificationError(data: Data): string {
  const limit = findNumber(data, "limit");
  switch (findText(data, "reason")) {
    case "refresh":
      return "A forced refresh needs human verification first.";
    case "feedback":
      return "Rating an address needs human verification first.";
    case "client_day":
      if (limit === 0)
        return "Looking up an address that is not in the database needs human verification first.";
      if (limit === 1)
        return "Your one lookup of a new address without a human check is used up for today; human verification is needed.";
      return `Your ${limit === undefined ? "" : `${limit} `}lookups of new addresses without a human check are used up for today; human verification is needed.`;
    case "total_day":
      return "The whole site's lookups of new addresses without a human check are used up for today; human verification is needed.";
    case "failed":
      return "The human check was not passed.";
    case "expired":
      return "The human check has expired.";
    case "replayed":
      return "This human check has been used already.";
    case "unavailable":
      return "The human check cannot be verified at the moment.";
    case "cross_site":
      return "This request is taken only from this site's own pages.";
    default:
      return "The allowance for unverified lookups of new addresses is used up; human verification is needed.";
  }
}

function verificationHint(data: Data): string {
  switch (findText(data, "reason")) {
    case "refresh":
      return "Open reportUrl with ?refresh=1 at its end in a browser and solve the check once; for half an hour that browser may refresh further reports.";
    case "feedback":
      return "Open reportUrl in a browser and solve the check on that page, then rate.";
    case "failed":
    case "expired":
    case "replayed":
      return "Please solve a new check.";
    case "unavailable":
      return "Please try the check again a little later; addresses in the database are answered without one.";
    case "cross_site":
      return "Open this site's page in a browser and go on from there.";
    default:
      return "Open reportUrl in a browser and solve the check once; later calls for this address are answered from the database without one. The allowance starts anew at midnight UTC.";
  }
}

function rateLimitError(data: Data): string {
  const limit = findNumber(data, "limit");
  if (limit === undefined) return "Too many requests.";
  switch (findText(data, "reason")) {
    case "new_per_minute":
      return `Too many requests: at most ${limit} addresses that are not in the database a minute.`;
    case "refresh_per_minute":
      return `Too many requests: at most ${limit} refreshes a minute.`;
    default:
      return `Too many requests: at most ${limit} a minute.`;
  }
}

/** English texts of every error code. */
export const problemsEn: ProblemTexts = {
  invalid_ip: {
    error: (data) => {
      const input = findText(data, "input");
      return input === undefined ? "Not a valid IP address." : `"${input}" is not a valid IP address.`;
    },
    hint: () => "Give one complete IPv4 or IPv6 address, without port, prefix length, zone or blanks.",
  },
  invalid_parameter: {
    error: (data) =>
      Object.hasOwn(data, "value")
        ? `The value "${findText(data, "value") ?? ""}" of parameter ${factText(data, "parameter")} is invalid.`
        : `Parameter ${factText(data, "parameter")} is invalid or given more than once.`,
    hint: (data) => {
      if (data.reason === "address_count")
        return `Give ${data.least} to ${data.most} different addresses, separated by commas.`;
      const allowed = factList(data, "allowed");
      const once = "A parameter may be given only once.";
      return allowed.length === 0 ? once : `Allowed: ${allowed.join(", ")}. ${once}`;
    },
  },
  verification_required: {
    error: verificationError,
    hint: verificationHint,
  },
  unauthorized: {
    error: () => "This needs a token.",
    hint: () => "Send the operator's token as Authorization: Bearer TOKEN.",
  },
  not_found: { error: () => "No such path.", hint: () => "See /openapi.json for the paths there are." },
  not_in_mirror: {
    error: ({ reason }) => {
      if (reason === "refresh") return "This read-only mirror asks no source anew.";
      if (reason === "write") return "This read-only mirror takes nothing in.";
      return "This read-only mirror does not hold the address.";
    },
    hint: ({ primary, reason }) => {
      if (primary === false) return "It does not say where the full service is; ask who runs it.";
      if (reason === "write") return "Use the full service, to which reportUrl points.";
      return "Look it up at the full service, to which reportUrl points.";
    },
  },
  method_not_allowed: {
    error: () => "This path does not take that request method.",
    hint: (data) => {
      const allowed = factList(data, "allowed");
      return allowed.length === 0
        ? "The Allow header names the methods it takes."
        : `Allowed: ${allowed.join(", ")}.`;
    },
  },
  too_large: {
    error: () => "The request is too large.",
    hint: () => "Shorten the URL, the headers or the body.",
  },
  rate_limited: {
    error: rateLimitError,
    hint: retryHint,
  },
  open_rate_limited: {
    error: (data) => {
      const limit = findNumber(data, "limit");
      const error = "Too many lookups of new addresses without a human check on the whole site";
      return limit === undefined
        ? `${error}.`
        : `${error}: at most ${limit} a minute by all visitors together.`;
    },
    hint: retryHint,
  },
  internal: {
    error: () => "An internal error kept this request from being answered.",
    hint: (data) => {
      const id = findText(data, "requestId");
      return id === undefined
        ? "Please retry later."
        : `Please retry later; if it happens again, tell the operator request id ${id}.`;
    },
  },
  overloaded: { error: () => "The service is busy and cannot take more requests now.", hint: retryHint },
};
