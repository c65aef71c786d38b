import type { LabelledSet } from "./labelled_set.ts";

/** The kind of rows in a labelled set; sets that are "either" have none. */
export type Feature =
  | "tor"
  | "vpn"
  | "proxy"
  | "relay"
  | "hosting"
  | "crawler"
  | "listed_5"
  | "listed_3"
  | "listed_1"
  | "ordinary";

/**
 * Data centres and clouds: operators' lists of prefixes contain those of their customers too. Abitcool is the name under
 * which 21Vianet, a data-centre company, announces its space; Aceville is Tencent Cloud outside China.
 */
export const SAYS_HOSTING =
  /abitcool|\bidc\d*\b|cloud|\bdata center\b|tencent|alibaba|baidu|jingdong|volcano engine|amazon|microsoft|guanghuan|aceville/i;

/** Reads it from the label, and from the id where the label has no flag for it. */
export function featureOf({ id, group, label }: LabelledSet): Feature | undefined {
  if (group.startsWith("negative")) return "ordinary";
  if (group === "either") return undefined;
  if (label.true.includes("isTor")) return "tor";
  if (label.true.includes("isRelay")) return "relay";
  if (label.true.includes("isVpn")) return "vpn";
  if (label.true.includes("isHosting")) return "hosting";
  if (label.true.includes("isSearchEngineBot")) return "crawler";
  if (label.anyOf !== undefined) return "proxy";
  if (id === "abuse-ipsum-5plus") return "listed_5";
  if (id === "abuse-ipsum-1-2") return "listed_1";
  return id.startsWith("abuse-") ? "listed_3" : undefined;
}
