import { chooseFeeds, openChosenFeeds, openCorrections } from "#app";
import type { Config } from "#config";
import { openDatasets } from "#datasets";
import type { Corrections } from "#evidence";
import { FEEDS, listTurnedOff } from "#feeds";
import { type ClassifierLimits, createTableClassifier } from "#lookup";
import { createNetworks } from "#network";
import { createTableSurvey, SOURCES } from "#sources";
import type { CommandContext } from "./command.ts";

/** A command has the machine for itself: about 80 MB. */
const LIMITS: ClassifierLimits = { facts: 40_000, addresses: 262_144 };

/** The tables and lists of the data directory, for commands that judge many addresses without a query. */
export type OpenTables = ReturnType<typeof openTables>;

/** Opens the tables and lists of the data directory. */
export function openTables(
  config: Config,
  { paths, now, warn }: Pick<CommandContext, "paths" | "now" | "warn">,
) {
  const feeds = openChosenFeeds(config, chooseFeeds(config), { now, paths });
  const datasets = openDatasets({ directory: paths.seed, feeds });
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
    /** Summarizes prefixes and AS. */
    openNetworks() {
      const survey = openSurvey();
      const classifier = openClassifier(survey);
      return createNetworks({
        datasets,
        classifier,
        lists: FEEDS,
        version: survey.version,
      });
    },
  };
}
