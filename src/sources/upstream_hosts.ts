import type { Source } from "./source.ts";

/** Every HTTPS host that these sources may be asked at: the allow-list of the world, sorted. */
export function upstreamHosts(sources: readonly Source[]): readonly string[] {
  return [...new Set(sources.flatMap((source) => source.hosts ?? []))].sort();
}
