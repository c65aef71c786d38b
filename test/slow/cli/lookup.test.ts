import { expect, test } from "bun:test";
import { createTemporaryFolder, runLimpid } from "#kit";

const folder = createTemporaryFolder("limpid-lookup-");

const env = { LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0", LIMPID_FEEDS: "0" };

/** `limpid lookup` with a text on its standard input; without live sources, so that it asks nothing. */
const lookup = (args: readonly string[], input = "") => runLimpid(["lookup", ...args], env, input);

const lines = (text: string) => text.trimEnd().split("\n");

test("prints several addresses, and goes on after one that is wrong", async () => {
  const { out, err, code } = await lookup(["46.4.84.25", "nonsense", "10.0.0.1", "--line"]);
  expect(lines(out).map((line) => /ip:(\S+)/.exec(line)?.[1])).toEqual(["46.4.84.25", "10.0.0.1"]);
  expect(err).toContain('"nonsense" is not a valid IP address. Give one complete');
  expect(code).toBe(2);
});

test("says in Chinese what is wrong with an address, and prints what is null or absent", async () => {
  expect((await lookup(["198.51.100.0/24", "--lang", "zh"])).err).toStartWith(
    "「198.51.100.0/24」不是有效的 IP 地址。",
  );
  expect((await lookup(["46.4.84.25", "--field", "vpnOperator"])).out).toBe("null\n");
  expect((await lookup(["46.4.84.25", "--field", "scenarios.99.score"])).out).toBe("\n");
});

test("reads the words of the standard input, and prints one report for each line of JSON", async () => {
  const { out, code } = await lookup(["-", "--json"], "46.4.84.25 1.1.1.1\n\n  2a01:4f8::1\n");
  const ips = lines(out).map((line) => (JSON.parse(line) as { readonly ip: string }).ip);
  expect(ips).toEqual(["46.4.84.25", "1.1.1.1", "2a01:4f8::1"]);
  expect(code).toBe(0);
});

test("prints one report as before, also from the standard input", async () => {
  const [alone, piped] = [
    await lookup(["46.4.84.25", "--field", "ip"]),
    await lookup(["-", "--field", "ip"], "46.4.84.25"),
  ];
  expect([alone.out, piped.out]).toEqual(["46.4.84.25\n", "46.4.84.25\n"]);
});

test("names no page of a service that may not be there, and ends with the score", async () => {
  for (const format of ["--text", "--markdown"]) {
    const { out } = await lookup(["46.4.84.25", "--lang", "en", format]);
    expect(out).not.toContain("127.0.0.1");
    expect(out).toContain("Legend");
    if (format === "--text") expect(out.slice(-500)).toContain("46.4.84.25: Not enough data, ");
  }
});

test("ends with the heaviest exit code", async () => {
  // A special-purpose address is never judged, so it is unknown whether it reaches the least purity.
  expect((await lookup(["46.4.84.25", "10.0.0.1", "--line", "--fail-below", "5"])).code).toBe(3);
  expect((await lookup(["10.0.0.1", "x", "--line", "--fail-below", "5"])).code).toBe(2);
});

test.each([
  ["", "the input has no address"],
  ["1.1.1.1\n".repeat(1001), "expected at most 1000 addresses; for more use limpid batch"],
])("refuses %#", async (input, why) => {
  const { err, code } = await lookup(["-", "--line"], input);
  expect(err).toContain(why);
  expect([2, 64]).toContain(code);
});

test.each([
  [{ LC_ALL: "", LANG: "zh_CN.UTF-8" }, ""],
  [{ LC_ALL: "", LC_MESSAGES: "en_GB.UTF-8", LANG: "zh_CN.UTF-8" }, "en"],
  [{ LC_ALL: "zh_TW", LC_MESSAGES: "en_GB.UTF-8", LANG: "de" }, ""],
])("takes the language of %p (a Chinese report does not name it)", async (locale, language) => {
  const { out } = await runLimpid(["lookup", "46.4.84.25", "--field", "lang"], { ...env, ...locale });
  expect(out.trim()).toBe(language);
});
