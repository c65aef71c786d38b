import { expect, test } from "bun:test";
import { FEEDS } from "#feeds";
import EXIT_LISTS from "../../src/render/exit_lists.json" with { type: "json" };

test("the lists of exits are those that the service downloads", () => {
  for (const [meaning, names] of [
    ["proxy", EXIT_LISTS.isProxy],
    ["vpn", EXIT_LISTS.isVpn],
    ["tor_exit", EXIT_LISTS.isTor],
  ] as const)
    expect(FEEDS.flatMap(({ name, meanings }) => (meanings.includes(meaning) ? [name] : []))).toEqual(names);
});
