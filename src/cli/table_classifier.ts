import { chooseFeeds, openChosenFeeds, openCorrections } from "#app";
import type { Config } from "#config";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import { type ClassifierLimits, createTableClassifier, type TableClassifier } from "#lookup";
import { createTableSurvey, SOURCES, type TableSurvey } from "#sources";
import type { CommandContext } from "./command.ts";

/** A command has the machine for itself: about 80 MB. */
const LIMITS: ClassifierLimits = { facts: 40_000, addresses: 262_144 };

/** Opens the tables and lists of the data directory for commands that judge many addresses without a query. */
export function openTableClassifier(
  config: Config,
  context: Pick<CommandContext, "paths" | "now" | "warn">,
): TableClassifier {
  return createTableClassifier(openTableSurvey(config, context), {
    limits: LIMITS,
    corrections: openCorrections(config.corrections, { now: context.now, onProblem: context.warn }),
  });
}

/** Opens the tables and lists of the data directory, without the operator's corrections. */
export function openTableSurvey(
  config: Config,
  { paths, now }: Pick<CommandContext, "paths" | "now">,
): TableSurvey {
  const feeds = openChosenFeeds(config, chooseFeeds(config), { now, paths });
  // Lists that are excluded, and those without a download or snapshot, count as turned off, not as failed.
  const absent = FEEDS.filter(({ id }) => feeds.state(id).freshness === "absent").map(({ id }) => id);
  return createTableSurvey(SOURCES, {
    datasets: openDatasets({ directory: paths.seed, feeds }),
    settings: {
      allowNoncommercial: config.allowNoncommercial,
      off: new Set([...config.sourcesOff, ...absent]),
      secrets: config.secrets,
      ...(config.contact === undefined ? {} : { contact: config.contact }),
    },
    now,
  });
}
