import { chooseFeeds, openChosenFeeds, openCorrections } from "#app";
import type { Config } from "#config";
import { type ListMeaning, openDatasets } from "#datasets";
import type { Corrections } from "#evidence";
import { FEEDS, listTurnedOff } from "#feeds";
import { type ClassifierLimits, createTableClassifier } from "#lookup";
import { createNetworks } from "#network";
import type { PolicyWord } from "#report";
import { createTableSurvey, SOURCES } from "#sources";
import type { CommandContext } from "./command.ts";
import catalogue from "./commands.json" with { type: "json" };

/** A command has the machine for itself: about 80 MB. */
const LIMITS: ClassifierLimits = { facts: 40_000, addresses: 262_144 };

/** The words that lists alone know, with what these lists mean. The AS tables know the others too. */
const MEANINGS: Readonly<Partial<Record<PolicyWord, ListMeaning>>> = {
  ...{ proxy: "proxy", vpn: "vpn", relay: "relay", tor: "tor_exit", crawler: "search_bot" },
};

/** The tables and lists of the data directory, for commands that judge many addresses without a query. */
export type OpenTables = ReturnType<typeof openTables>;

/** Opens the tables and lists of the data directory. */
export function openTables(
  config: Config,
  { paths, now, warn }: Pick<CommandContext, "paths" | "now" | "warn">,
) {
  const feeds = openChosenFeeds(config, chooseFeeds(config), { now, paths });
  const datasets = openDatasets({ directory: paths.seed, feeds });
  if (datasets.states().some(({ ready }) => !ready)) warn(catalogue.advice.tables);
  let opened: Corrections | undefined;
  /** @throws {ExitError} when the file is wrong. */
  const corrections = () => (opened ??= openCorrections(config.corrections, { now, onProblem: warn }));
  const turnedOff = [...config.sourcesOff, ...listTurnedOff(feeds, { downloads: config.feeds })];
  /** Surveys without the lists in `off`. */
  const openSurvey = (off: Iterable<string> = []) =>
    createTableSurvey(SOURCES, {
      datasets,
      settings: {
        allowNoncommercial: config.allowNoncommercial,
        off: new Set([...turnedOff, ...off]),
        secrets: config.secrets,
        ...(config.contact === undefined ? {} : { contact: config.contact }),
      },
      now,
    });
  /** Judges by such surveys and the operator's corrections. */
  const openClassifier = (survey = openSurvey()) =>
    createTableClassifier(survey, { limits: LIMITS, corrections: corrections() });
  return {
    datasets,
    openSurvey,
    corrections,
    openClassifier,
    /** Says of which words no list is here, or only some. */
    findGaps(words: readonly PolicyWord[]) {
      const gaps = words.flatMap((word) => {
        const lists = feeds.feeds.filter(({ meanings }) => meanings.some((one) => one === MEANINGS[word]));
        const read = lists.filter(({ id }) => datasets.feedState(id).ready).length;
        const text = `${word} (${read} of ${lists.length} lists were read)`;
        return read < lists.length ? [{ read, text }] : [];
      });
      const { partial, unknown } = Object.groupBy(gaps, ({ read }) => (read > 0 ? "partial" : "unknown"));
      const parts = [unknown, partial].map((group, at) =>
        group === undefined ? "" : `${catalogue.gaps[at]}: ${group.map(({ text }) => text).join(", ")}. `,
      );
      const text = gaps.length === 0 ? "" : `${parts.join("")}${catalogue.advice.missing}`;
      return { text, isUnknown: unknown !== undefined };
    },
    /** Summarizes prefixes and AS. */
    openNetworks() {
      const survey = openSurvey();
      const classifier = openClassifier(survey);
      return createNetworks({ datasets, classifier, lists: FEEDS, version: survey.version });
    },
  };
}
