import { type Evidence, NAME_FAMILY } from "#evidence";

/**
 * Whether a source says that this is a mobile line and none that it is a server. A carrier's name alone is not
 * enough: carriers run data centres too, and being mobile earns relief.
 */
export function isMobileLine({ flags }: Evidence): boolean {
  return !flags.isHosting.value && flags.isMobile.yes.some((family) => family !== NAME_FAMILY);
}
