/** `bun update_forever.ts DIRECTORY GATEWAY`: updates one feed over and over until it is killed. */

import { createCompiler, openFeeds, refreshFeed } from "#feeds";
import { openUpstreamClient } from "#kit";
import { registry } from "../../feeds/feed_setup.ts";
import { alpha } from "../../feeds/small_feeds.ts";

const [directory = "", gateway = ""] = process.argv.slice(2);
const now = () => Date.now();
const feeds = openFeeds({ directory, feeds: [alpha], now });
const compiler = createCompiler({ registry });
const world = openUpstreamClient({ hosts: ["lists.example"], gateway, poolSize: 1, now });
const never = new AbortController().signal;
for (;;) {
  const upstream = world.openSession(never);
  const outcome = await refreshFeed(
    alpha,
    { upstream, cache: feeds.cache, compiler, now, random: () => 0.5 },
    never,
  );
  upstream.close();
  process.stdout.write(`${outcome.did}\n`);
  await feeds.rebuild(compiler);
}
