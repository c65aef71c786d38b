const MAX_CHARACTERS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A foreign host name in lower case without the final dot, or undefined when it is none (RFC 1123 section 2.1:
 * letters, digits and hyphens, at least two labels, the last one not all digits).
 */
export function hostName(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS + 1) return undefined;
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isName =
    name.length <= MAX_CHARACTERS &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  return isName ? name : undefined;
}
