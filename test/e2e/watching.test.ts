import { beforeAll, describe, expect, test } from "bun:test";
import { setUp, setUpService } from "#kit";
import { readDocument } from "../docs/list_documents.ts";

/** Compares the words and expressions of docs/operators/watching.md with a running service. */
const { prose, blocks } = readDocument("docs/operators/watching.md");

const GOOD = "8.8.4.77";
const VPN = "8.8.4.66";

const setup = setUp("all");
const service = setUpService({ LIMPID_EXEMPT_CLIENTS: "127.0.0.1/32" }, setup);

beforeAll(() => {
  const { gateway } = setup.upstreams;
  gateway.on("api.ip2location.io", new RegExp(VPN.replaceAll(".", "\\.")), () => ({
    json: { ip: VPN, country_code: "US", is_proxy: true, proxy: { is_vpn: true, is_tor: true } },
  }));
  gateway.on("proxycheck.io", new RegExp(VPN.replaceAll(".", "\\.")), () => ({
    json: {
      status: "ok",
      [VPN]: { network: { type: "Hosting" }, detections: { proxy: true, vpn: true, tor: true } },
    },
  }));
});

const read = async (path: string) => {
  const response = await fetch(service.url + path);
  return { status: response.status, body: await response.text() };
};

/** The rows of the table of URLs: the keyword is wanted, or with `not` it must be absent. */
const watched = [
  ...prose.matchAll(/^\| [^|]+ \| `(\/[^`]+)` \| (not )?`([^`]+)`(?:; not `([^`]+)`)? \|$/gm),
].flatMap(([, url = "", not, one = "", other]) =>
  [one, other].flatMap((keyword) =>
    keyword === undefined ? [] : [{ url, keyword, isInverted: not !== undefined }],
  ),
);

/** As Uptime Kuma decides: status 200 to 299, and the keyword is there, or absent if inverted. */
function isUp(
  { status, body }: { readonly status: number; readonly body: string },
  keyword: string,
  isInverted: boolean,
) {
  return status >= 200 && status < 300 && body.includes(keyword) !== isInverted;
}

describe("the keywords of docs/operators/watching.md", () => {
  test("are all read", () => {
    expect(watched.map(({ keyword }) => keyword)).toEqual(['"ready":true', "PASS", "FAIL", "vpn", "tor"]);
  });

  for (const { url, keyword, isInverted } of watched) {
    test(`${url} is up with ${isInverted ? "no " : ""}${keyword} for a good address, and down for a bad one`, async () => {
      expect(isUp(await read(url.replace("ADDRESS", GOOD)), keyword, isInverted)).toBe(true);
      if (!url.includes("ADDRESS")) return;
      const bad = await read(url.replace("ADDRESS", VPN));
      expect(isUp(bad, keyword, isInverted), bad.body).toBe(false);
    });
  }

  test("start the answer of the gate", async () => {
    for (const [ip, word] of [
      [GOOD, /^PASS \d+\n$/],
      [VPN, /^FAIL \d+\n$/],
      ["192.0.2.1", /^UNKNOWN\n$/],
    ] as const)
      expect((await read(`/gate/${ip}?min=70&status=200`)).body).toMatch(word);
  });

  test("tell by status alone without status=200", async () => {
    const statuses = [];
    for (const ip of [GOOD, VPN, "192.0.2.1"]) statuses.push((await read(`/gate/${ip}?min=70`)).status);
    expect(statuses).toEqual([200, 409, 503]);
  });
});

test("the JSON query reads fields that the report has, and its expressions give the expected values", async () => {
  const rows = [...prose.matchAll(/^\| `([\w. >=]+)` \| `(true|false)` \|$/gm)];
  expect(rows.length).toBe(3);
  const evaluate = async (ip: string, expression: string) => {
    const { body } = await read(`/ip/${ip}.json?fields=risk,flags,stale`);
    const [path = "", limit] = expression.split(" >= ");
    const value = path
      .split(".")
      .reduce<unknown>((part, name) => Reflect.get(Object(part), name), JSON.parse(body));
    return String(limit === undefined ? value : Number(value) >= Number(limit));
  };
  for (const [, expression = "", expected = ""] of rows)
    expect(await evaluate(GOOD, expression)).toBe(expected);
  expect(await evaluate(VPN, "risk.purity >= 70")).toBe("false");
  expect(await evaluate(VPN, "flags.isVpn")).toBe("true");
});

test("the line for cron refreshes a report for an exempt client", async () => {
  const cron = blocks.find(({ language }) => language === "crontab");
  const url = /https:\/\/ip\.example\.org(\/[^"]+)/.exec(cron?.code ?? "")?.[1] ?? "";
  const { status, body } = await read(url.replace(/ip=[^&]+/, `ip=${GOOD}`));
  expect([status, JSON.parse(body).source]).toEqual([200, "fresh"]);
});
