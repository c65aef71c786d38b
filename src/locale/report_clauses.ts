import type { Data } from "#report";
import type en from "./en/report.json";
import { factList, findNumber, findText } from "./facts.ts";
import type { Condition } from "./sentences.ts";

/** When a clause stands. A clause that is not here always stands. */
export const CONDITIONS: Readonly<Partial<Record<keyof (typeof en)["clauses"], Condition>>> = {
  allAnswered: hasAllAnswers,
  someAnswered: (data) => !hasAllAnswers(data),
  counted: (data) => ![undefined, 1].includes(findNumber(data, "agreement")),
  loneFlag: (data) => findNumber(data, "agreement") === 1,
  loneList: knows("lone"),
  authority: knows("authoritative"),
  subnet: knows("subnet"),
  ofOperator: knows("operator"),
  operatorNote: knows("operator"),
  nearLists: lists("near"),
  elsewhereLists: lists("elsewhere"),
  lowerScores: (data) => factList(data, "by").length > 0 && lowerSources(data).length > 0,
  mostAtOneSource: (data) => factList(data, "sources").length > 1,
  fading: knows("full"),
  aged: knows("ageDays"),
  onAnonymity: (data) => data.kind === "anonymity",
  onLists: (data) => data.kind === "lists",
  restricted: isSevere,
  torFollows: (data) => !isSevere(data),
  proxyFollows: (data) => !isSevere(data),
  vpnFollows: (data) => !isSevere(data),
  abusedFollows: (data) => !isSevere(data),
  hostingFollows: (data) => !isSevere(data),
  loneVerdict: knows("lone"),
  subnetVerdict: knows("subnet"),
  nearVerdict: knows("near"),
  localOnly: (data) => data.thin === "tables",
  hardlyCore: (data) => data.thin === "core",
  few: (data) => !["tables", "core"].includes(findText(data, "thin") ?? "core"),
  nothingLive: (data) => data.thin === "tables",
  littleAnswered: (data) => data.thin !== "tables",
  range: knows("percent"),
  lowEnd: (data) => (findNumber(data, "low") ?? 100) < (findNumber(data, "purity") ?? 0),
};

function hasAllAnswers(data: Data): boolean {
  const asked = findNumber(data, "sourcesAsked") ?? 0;
  return asked > 1 && asked === findNumber(data, "sourcesAnswered");
}

function knows(key: string): Condition {
  return (data) => findText(data, key) !== undefined;
}

function lists(key: string): Condition {
  return (data) => factList(data, key).length > 0;
}

/** Whether most platforms restrict an address of this band, whatever was found. */
function isSevere(data: Data): boolean {
  return data.band === "risky" || data.band === "dangerous";
}

/** The other sources whose score costs points. */
export function lowerSources(data: Data): readonly string[] {
  const by = factList(data, "by");
  return factList(data, "sources").filter((source) => !by.includes(source));
}
