import { describe, expect, test } from "bun:test";
import { memory } from "./memory.ts";
import { noFiles } from "./no_files.ts";
import { oneClient } from "./one_client.ts";
import { streams } from "./streams.ts";
import { stuck } from "./stuck.ts";

/** A sample of what takes least; `bun test/proof/load/run.ts` is the whole proof. */
describe("under load", () => {
  for (const [name, prove] of [
    ["one client who asks for everything is refused, and nobody else", oneClient],
    ["clients who wait for upstreams that hang slow down nobody", stuck],
    ["stored and new addresses fit into a container of 256 MiB", memory],
    ["idle connections that take every file descriptor do not end the process", noFiles],
    ["watchers have their room and no more", streams],
  ] as const) {
    test(name, async () => {
      const { seen, failures } = await prove("brief");
      expect(failures).toEqual([]);
      expect(seen).not.toBeEmpty();
    }, 120_000);
  }
});
