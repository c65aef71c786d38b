import { describe, expect, test } from "bun:test";
import { ALL_FEEDS, chooseFeeds } from "../../src/cli/choose_feeds.ts";

const GIB = 1_073_741_824;
const config = { sourcesOff: new Set(["cins"]), allowNoncommercial: false, contact: undefined };

describe("chooseFeeds()", () => {
  test("leaves out what the operator, the terms or the machine's memory forbid, and says why", () => {
    const small = chooseFeeds(config, ALL_FEEDS, GIB);
    expect(small.left.get("cins")).toBe("turned off");
    expect(small.left.get("stopforumspam_list")).toBe("non-commercial");
    expect(small.left.get("bgp_tools_tags")).toBe("needs LIMPID_CONTACT");
    expect(small.left.get("dbip_city")).toBe("needs more memory");
    expect(small.tables.map((feed) => feed.id)).toEqual(["iptoasn", "rir_delegated"]);
    expect(small.feeds.some((feed) => small.left.has(feed.id))).toBe(false);
  });

  test("takes the table of places where there is memory to compile it", () => {
    const large = chooseFeeds(config, ALL_FEEDS, 8 * GIB);
    expect(large.left.has("dbip_city")).toBe(false);
    expect(large.tables.map((feed) => feed.id)).toContain("dbip_city");
  });
});
