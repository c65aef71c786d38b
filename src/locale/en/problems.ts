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
      return "A refresh requires human verification.";
    case "client_day":
      if (limit === 0)
        return "Looking up an address that is not in the database requires human verification.";
      if (limit === 1)
        return "Your daily allowance of 1 lookup of a new address is used up; human verification is required.";
      return `Your daily allowance of ${limit === undefined ? "" : `${limit} `}lookups of new addresses is used up; human verification is required.`;
    case "total_day":
      return "The daily allowance of the whole site for lookups of new addresses is used up; human verification is required.";
    default:
      return "The allowance for lookups of new addresses is used up; human verification is required.";
  }
}

function verificationHint(data: Data): string {
  if (findText(data, "reason") === "refresh")
    return "Open reportUrl in a browser and complete the verification. That browser can then refresh more reports for half an hour.";
  const once =
    "Open reportUrl in a browser and complete the verification once. Later calls for this address are answered from the database without it.";
  // An allowance of 0 is not reset.
  const isReset = findNumber(data, "limit") !== 0;
  return `${once}${isReset ? " The allowance is reset at midnight UTC." : ""}${contactHint(data)}`;
}

/** How to reach the operator about more requests, if the operator says so. */
function contactHint(data: Data): string {
  const contact = findText(data, "contact");
  return contact === undefined ? "" : ` For more lookups, contact the operator: ${contact}`;
}

function forbiddenError(data: Data): string {
  switch (findText(data, "reason")) {
    case "no_proxy":
      return "No trusted proxy named the visitor in X-Forwarded-For.";
    case "not_exempt":
      return "Only clients of the operator may send this request.";
    case "feedback":
      return "Rating an address requires human verification.";
    case "failed":
      return "The human verification failed.";
    case "expired":
      return "The human verification has expired.";
    case "replayed":
      return "This human verification was already used.";
    case "unavailable":
      return "Human verification is unavailable at the moment.";
    default:
      return "This request is accepted only from pages of this site.";
  }
}

function forbiddenHint(data: Data): string {
  switch (findText(data, "reason")) {
    case "no_proxy":
      return "Set LIMPID_TRUSTED_PROXIES to the address of the web server, and let it send X-Forwarded-For.";
    case "not_exempt":
      return "The operator adds the address of the client to LIMPID_EXEMPT_CLIENTS. Everybody may use /api/lookup.";
    case "feedback":
      return "Open reportUrl in a browser, complete the verification on that page, then rate the address.";
    case "failed":
    case "expired":
    case "replayed":
      return "Please complete a new verification.";
    case "unavailable":
      return "Please try again in a few minutes. Addresses in the database need no verification.";
    default:
      return "Open the page of this site in a browser and continue there.";
  }
}

function rateLimitError(data: Data): string {
  const limit = findNumber(data, "limit");
  if (limit === undefined) return "Too many requests.";
  switch (findText(data, "reason")) {
    case "new_per_minute":
      return `Too many requests: at most ${limit} lookups per minute of addresses that are not in the database.`;
    case "refresh_per_minute":
      return `Too many requests: at most ${limit} refreshes per minute.`;
    default:
      return `Too many requests: at most ${limit} per minute.`;
  }
}

/** The values of a language: a client that reads neither hint learns them from the error. */
function offered(data: Data): string {
  const allowed = factList(data, "allowed");
  return findText(data, "parameter") === "lang" && allowed.length > 0
    ? `; offered: ${allowed.join(", ")}`
    : "";
}

const NETWORK_ERRORS: Readonly<Record<string, (value: string) => string>> = {
  not_prefix: (value) => `"${value}" is not a prefix.`,
  prefix_too_wide: (value) => `The prefix "${value}" is too wide.`,
  special_space: (value) => `"${value}" is special-purpose space without public neighbours.`,
  not_as: (value) => `"${value}" is not an AS number.`,
};

const NETWORK_HINTS: Readonly<Record<string, string>> = {
  not_prefix: "Write the first address, a slash and the length, such as 198.51.100.0/24.",
  prefix_too_wide: "The widest are an IPv4 /8 and an IPv6 /19.",
  special_space: "Write a prefix of public addresses.",
  not_as: "Write a number from 1 to 4294967295, such as 15169 or AS15169.",
};

/** English texts of every error code. */
export const problemsEn: ProblemTexts = {
  invalid_ip: {
    error: (data) => {
      const input = findText(data, "input");
      return input === undefined ? "Not a valid IP address." : `"${input}" is not a valid IP address.`;
    },
    hint: () => "Give one complete IPv4 or IPv6 address without port, prefix length, zone or spaces.",
  },
  invalid_parameter: {
    error: (data) => {
      const network = NETWORK_ERRORS[String(data.reason)];
      if (network !== undefined) return network(findText(data, "value") ?? "");
      if (data.reason === "missing") return `Parameter ${factText(data, "parameter")} is missing.`;
      if (data.isArgument === true) return `Argument ${factText(data, "parameter")} is invalid.`;
      return data.reason === "too_many_new"
        ? `This address has no report yet, and one comparison looks up at most ${data.most} new addresses.`
        : Object.hasOwn(data, "value")
          ? `The value "${findText(data, "value") ?? ""}" of parameter ${factText(data, "parameter")} is invalid${offered(data)}.`
          : `Parameter ${factText(data, "parameter")} is invalid or given more than once.`;
    },
    hint: (data) => {
      const network = NETWORK_HINTS[String(data.reason)];
      if (network !== undefined) return network;
      if (data.reason === "too_many_new") return "Look it up alone first; then it can be compared.";
      if (data.reason === "address_count")
        return `Give ${data.least} to ${data.most} different addresses${data.isArgument === true ? "" : ", separated by commas"}.`;
      if (data.reason === "asks_nothing") return "It needs `deny` or `min`: without them everybody passes.";
      if (data.reason === "denied_too") return "The same kind cannot be allowed and denied.";
      const allowed = factList(data, "allowed");
      const once = data.isArgument === true ? "" : " A parameter may be given only once.";
      const choice = allowed.length === 0 ? "" : ` Allowed: ${allowed.join(", ")}.`;
      return `${choice}${once}`.trim() || "See the input schema of the tool.";
    },
  },
  verification_required: {
    error: verificationError,
    hint: verificationHint,
  },
  forbidden: {
    error: forbiddenError,
    hint: forbiddenHint,
  },
  unauthorized: {
    error: () => "This path requires a token.",
    hint: () => "Send the operator's token as Authorization: Bearer TOKEN.",
  },
  not_found: {
    error: ({ reason, asn }) =>
      reason === "not_announced"
        ? `Nobody announces AS${asn}, as far as the table of networks knows.`
        : "The path does not exist.",
    hint: ({ reason }) =>
      reason === "not_announced"
        ? "Check the number. An AS that is new appears when the table is updated."
        : "See /openapi.json for the available paths.",
  },
  not_in_mirror: {
    error: ({ reason }) => {
      if (reason === "refresh") return "This read-only mirror does not refresh reports.";
      if (reason === "write") return "This read-only mirror accepts no submissions.";
      return "This read-only mirror does not have the address.";
    },
    hint: ({ primary, reason }) => {
      if (primary === false) return "The mirror does not name the full service. Ask its operator.";
      if (reason === "write") return "Use the full service at reportUrl.";
      return "Look up the address on the full service at reportUrl.";
    },
  },
  method_not_allowed: {
    error: () => "The path does not support this request method.",
    hint: (data) => {
      const allowed = factList(data, "allowed");
      return allowed.length === 0
        ? "The Allow header lists the supported methods."
        : `Allowed: ${allowed.join(", ")}.`;
    },
  },
  too_large: {
    error: () => "The request is too large.",
    hint: () => "Shorten the URL, the headers or the body.",
  },
  rate_limited: {
    error: rateLimitError,
    hint: (data) => `${retryHint(data)}${contactHint(data)}`,
  },
  open_rate_limited: {
    error: (data) => {
      const limit = findNumber(data, "limit");
      return limit === undefined
        ? "Too many lookups of new addresses without human verification on the whole site."
        : `Too many lookups of new addresses without human verification: at most ${limit} per minute for all visitors together.`;
    },
    hint: (data) => `${retryHint(data)}${contactHint(data)}`,
  },
  internal: {
    error: () => "An internal error occurred. The request was not completed.",
    hint: (data) => {
      const id = findText(data, "requestId");
      return id === undefined
        ? "Please retry later."
        : `Please retry later. If the error persists, tell the operator the request ID ${id}.`;
    },
  },
  overloaded: { error: () => "The service is busy and cannot accept more requests now.", hint: retryHint },
};
