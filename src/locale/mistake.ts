import type en from "./en/pages.json";
import { fill } from "./fill.ts";

/** Longest part of an address that a sentence repeats. */
const MAX_PART = 6;

/** What people type in place of an address, in the order in which they are tried. */
const OTHERS = [
  ["asn", /^ASN? ?\d+$/i],
  ["range", /^\d+\.[\d.]*(?:\*|\s*[-–~]\s*\d)[\d.*]*$/],
  ["more", /^\[?[\da-f]*[.:][\da-f.:]+[\]/%:]/i],
  ["domain", /^(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+\.?(?:[:/?#]\S*)?$/iu],
] as const;

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Says what is wrong with a text that should be one address or a network and is neither. Only digits and letters of it are
 * repeated.
 */
export function explainMistake(text: string, texts: (typeof en)["mistakes"]): string {
  const [, first = "", length = ""] = /^([\da-f:.]+)\/(\d+)$/i.exec(text) ?? [];
  const isIpv6 = first.includes(":");
  if (Number(length) > (isIpv6 ? 128 : 32)) return fill(texts.length, { part: length.slice(0, MAX_PART) });
  if (length !== "" && !(isIpv6 ? URL.canParse(`http://[${first}]`) : IPV4.test(first)))
    return explainMistake(first, texts);
  const isIpv4 = /^\d+(?:\.\d+)+\.?$/.test(text);
  if (!isIpv4 && !/^(?=.*:)[\da-f:]+$/i.test(text))
    return texts[OTHERS.find(([, spelling]) => spelling.test(text))?.[0] ?? "other"];
  const parts = text.split(isIpv4 ? "." : ":").filter((part) => part !== "");
  const isWrong = isIpv4
    ? (part: string) => Number(part) > 255
    : ({ length }: { readonly length: number }) => length > 4;
  const part = parts.find(isWrong);
  if (part !== undefined && part.length <= MAX_PART)
    return fill(isIpv4 ? texts.tooLarge : texts.longGroup, { part });
  const count = parts.length;
  if (isIpv4) return count === 4 ? texts.zeros : fill(texts.parts, { count });
  return fill(text.split("::").length > 2 ? texts.gaps : texts.groups, { count });
}
