import { expect, test } from "bun:test";
import { join } from "node:path";
import { createCompiler, openFeeds } from "#feeds";
import { startGateway } from "#kit";
import { address, temporaryFolder } from "../../datasets/kit.ts";
import { registry } from "../../feeds/feed_setup.ts";
import { alpha } from "../../feeds/small_feeds.ts";

const KILLS = 6;

test("a process killed at any moment of an update leaves a whole last good download", async () => {
  using folder = temporaryFolder();
  const gateway = await startGateway();
  let version = 0;
  gateway.on("lists.example", "/alpha.txt", () => {
    version += 1;
    const rows = Array.from({ length: 300 }, (_, i) => `9.${version & 255}.${i >> 8}.${i & 255}\n`);
    return { text: `8.8.4.1\n${rows.join("")}` };
  });
  const compiler = createCompiler({ registry });
  for (let kill = 0; kill < KILLS; kill++) {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "update_forever.ts"), folder.path, gateway.url],
      { stdout: "pipe", stderr: "inherit" },
    );
    const reader = child.stdout.getReader();
    for (let updates = 0; updates < 3; ) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the updating process ended by itself");
      updates += new TextDecoder().decode(value).split("updated").length - 1;
    }
    // Somewhere within the next update, at another place every time.
    await Bun.sleep(kill * 3);
    child.kill("SIGKILL");
    expect(await child.exited).not.toBe(0);
    expect(child.signalCode).toBe("SIGKILL");

    const feeds = openFeeds({ directory: folder.path, feeds: [alpha], now: () => Date.now() });
    expect(feeds.state("alpha")).toMatchObject({ rows: 301, freshness: "fresh" });
    if (!feeds.isCurrent()) await feeds.rebuild(compiler);
    expect(feeds.state("alpha").ready).toBe(true);
    expect(feeds.lists(address("8.8.4.1"))).toEqual([{ feed: "alpha", meaning: "abuse" }]);
  }
  compiler.close();
  await gateway.close();
}, 30_000);
