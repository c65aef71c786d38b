import type { Feed } from "./feed.ts";

/** Every HTTPS host that a feed is fetched from: its part of the allow-list, sorted. */
export function feedHosts(feed: Pick<Feed, "files" | "hosts">): readonly string[] {
  const hosts = feed.files.map((file) => new URL(file.url).hostname);
  return [...new Set([...hosts, ...(feed.hosts ?? [])])].sort();
}
