import { describe, expect, test } from "bun:test";
import { type AsKind, type Listing, mergeEvidence, type Observation, type SourceRun } from "#evidence";

const ADDRESS = "81.2.69.10";

function answered(id: string, observation: Observation, rest: Partial<SourceRun> = {}): SourceRun {
  return { ...run(id, rest), state: "answered", observation };
}

function run(id: string, rest: Partial<SourceRun> = {}): SourceRun {
  return {
    id,
    name: `Name of ${id}`,
    kind: "free",
    family: id,
    matters: ["network"],
    weight: 1,
    local: false,
    state: "empty",
    ms: 1,
    ...rest,
  };
}

function merge(...runs: readonly SourceRun[]) {
  return mergeEvidence({ address: ADDRESS, version: 4, surveyedAt: "2026-11-01T12:00:00.000Z", runs });
}

function listing(zone: string, rest: Partial<Listing> = {}): Listing {
  return { zone, label: zone, listed: true, codes: [], meanings: ["abuse"], ...rest };
}

describe("mergeEvidence() on flags", () => {
  test("counts families, not sources, and keeps families that say no", () => {
    const { flags } = merge(
      answered("a", { flags: { isVpn: true } }, { family: "one" }),
      answered("b", { flags: { isVpn: true } }, { family: "one" }),
      answered("c", { flags: { isVpn: false } }),
      answered("d", { flags: { isVpn: false } }, { family: "one" }),
    );
    expect(flags.isVpn).toEqual({
      value: true,
      yes: ["one"],
      no: ["c"],
      agreement: 1,
      exact: 1,
      authoritative: false,
    });
    expect(flags.isTor).toEqual({
      value: false,
      yes: [],
      no: [],
      agreement: 0,
      exact: 0,
      authoritative: false,
    });
  });

  test("counts the yes of an authority as two, and its no as one", () => {
    const yes = merge(
      answered("tor", { flags: { isTor: true }, authority: ["isTor"] }),
      answered("b", { flags: { isTor: false } }),
    );
    expect(yes.flags.isTor).toMatchObject({ value: true, agreement: 2, authoritative: true, no: ["b"] });
    const no = merge(answered("tor", { flags: { isTor: false }, authority: ["isTor"] }));
    expect(no.flags.isTor).toMatchObject({ value: false, agreement: 0, authoritative: false });
  });

  test("ignores observations of runs that failed, were skipped or were empty", () => {
    const observation: Observation = {
      flags: { isVpn: true },
      usage: "hosting",
      geo: { country: "GB" },
      abuse: { score: 99 },
    };
    const { flags, usage, geo, abuse } = merge(
      run("a", { state: "failed", error: "timeout", observation }),
      run("b", { state: "skipped", skipped: "paused", observation }),
      run("c", { state: "empty", observation }),
    );
    expect(flags.isVpn.value).toBe(false);
    expect(usage).toMatchObject({ type: "unknown", answered: false });
    expect(geo).toBeUndefined();
    expect(abuse).toEqual([]);
  });

  test("reads kinds of exit from listings, and hosting and mobile from the use that a source states", () => {
    const { flags } = merge(
      answered("a", { listings: [listing("z", { meanings: ["proxy", "tor"] })] }),
      answered("b", { usage: "hosting" }),
      answered("c", { usage: "mobile" }),
    );
    expect(flags.isProxy.yes).toEqual(["a"]);
    expect(flags.isTor.yes).toEqual(["a"]);
    expect(flags.isHosting.yes).toEqual(["b"]);
    expect(flags.isMobile.yes).toEqual(["c"]);
  });

  test("sets isSearchEngineBot only for verified crawlers, and isBogon only by the address", () => {
    const vendor = merge(answered("a", { flags: { isSearchEngineBot: true, isBogon: true } }));
    expect(vendor.flags.isSearchEngineBot.value).toBe(false);
    expect(vendor.flags.isBogon.value).toBe(false);
    const verified = merge(answered("a", { reverse: { names: ["bot.example.net"], crawler: "Example" } }));
    expect(verified.flags.isSearchEngineBot.value).toBe(true);
    expect(verified.infrastructure).toEqual({ role: "crawler", operator: "Example" });
    const special = mergeEvidence({ address: "10.1.2.3", version: 4, surveyedAt: "", runs: [] });
    expect(special.flags.isBogon).toMatchObject({ value: true, authoritative: true });
    expect(special.special).toEqual({ block: "10.0.0.0/8", purpose: "private_use" });
  });

  test("reads hosting from a name only where no source denies it", () => {
    const named = answered("table", { asn: { asn: 64500, name: "Example Hosting Ltd" } });
    expect(merge(named).flags.isHosting).toMatchObject({ value: true, yes: ["network_name"], agreement: 1 });
    expect(merge(named, answered("a", { flags: { isHosting: false } })).flags.isHosting.value).toBe(false);
    expect(merge(named, answered("a", { usage: "business" })).flags.isHosting.value).toBe(false);
    expect(merge(named, answered("a", { flags: { isHosting: true } })).flags.isHosting.agreement).toBe(2);
  });
});

describe("mergeEvidence() on use", () => {
  const typeOf = (...runs: readonly SourceRun[]) => merge(...runs).usage.type;
  const named = (name: string) => answered("table", { asn: { asn: 64500, name } });

  test.each([
    ["Chinanet", "residential"],
    ["China Mobile", "mobile"],
    ["China Education and Research Network Center", "education"],
    ["UK Ministry of Defence", "government"],
    ["CHINANET Yunnan province IDC1 network", "hosting"],
    ["Orange S.A.", "residential"],
    ["Example Networks S.A.", "unknown"],
  ] as const)("reads the name %p as %p", (name, type) => {
    expect(typeOf(named(name))).toBe(type);
  });

  test("prefers statements to names, names to hints, and the majority of families", () => {
    expect(typeOf(named("Chinanet"), answered("a", { usage: "business" }))).toBe("business");
    expect(
      typeOf(
        answered("a", { usage: "business" }),
        answered("b", { usage: "residential" }),
        answered("c", { usage: "residential" }),
      ),
    ).toBe("residential");
    expect(typeOf(answered("a", { usage: "business" }), answered("b", { usage: "residential" }))).toBe(
      "business",
    );
    expect(typeOf(named("Example University"), answered("a", { usage: "business" }))).toBe("education");
    expect(
      typeOf(answered("a", { usage: "residential" }), answered("b", { flags: { isHosting: true } })),
    ).toBe("hosting");
  });

  test("uses a hint only together with a hint of another kind, and never on hosting", () => {
    const policy = answered("spamhaus", { listings: [listing("spamhaus_zen", { meanings: ["policy"] })] });
    const reverse = answered("rdns", { reverse: { names: ["203-0-113-9.pool.example.net"] } });
    expect(typeOf(policy)).toBe("unknown");
    expect(typeOf(reverse)).toBe("unknown");
    expect(typeOf(policy, reverse)).toBe("residential");
    expect(typeOf(policy, reverse, named("Example Hosting"))).toBe("hosting");
    expect(
      typeOf(
        answered("spamrats", { listings: [listing("spamrats_noptr", { meanings: ["policy"] })] }),
        reverse,
      ),
    ).toBe("unknown");
  });

  test("returns what decided and the families that support it", () => {
    const { usage } = merge(named("Chinanet"), answered("a", { usage: "residential" }));
    expect(usage).toEqual({
      type: "residential",
      reasons: ["a", "as_name"],
      families: ["a", "network_name"],
      agreement: 2,
      stated: 1,
      answered: true,
      kind: "isp",
      kinds: [{ origin: "as_name", kind: "isp", weight: 3, agrees: true }],
    });
  });
});

describe("mergeEvidence() on well-known networks", () => {
  const network = (asn: number, name = "Example") => answered("table", { asn: { asn, name } });
  const at = (address: string, ...runs: readonly SourceRun[]) =>
    mergeEvidence({ address, version: address.includes(":") ? 6 : 4, surveyedAt: "", runs });

  test("sets hosting for a known hosting network, as one family with its name, even when sources deny it", () => {
    const named = merge(network(24940, "Example Hosting GmbH"));
    expect(named.flags.isHosting).toMatchObject({ value: true, yes: ["as_class"], agreement: 1, exact: 1 });
    expect(named.usage).toMatchObject({
      type: "hosting",
      reasons: ["as_class", "oxl", "x4bnet"],
      families: ["as_class"],
      agreement: 1,
      stated: 0,
    });
    const denied = merge(network(24940), answered("a", { flags: { isHosting: false } }));
    expect(denied.flags.isHosting).toMatchObject({ value: true, no: ["a"] });
    expect(merge(network(24940), answered("a", { usage: "hosting" })).flags.isHosting.agreement).toBe(2);
  });

  test("sets hosting for a block of a cloud even when it is not announced, or a carrier announces it", () => {
    expect(at("44.200.1.2").usage).toMatchObject({ type: "hosting", reasons: ["cloud_block"] });
    expect(at("44.200.1.2", network(4134)).usage).toMatchObject({
      type: "hosting",
      reasons: ["cloud_block"],
    });
    expect(at("44.200.1.2", network(16509)).usage.reasons).toEqual([
      "as_class",
      "cloud_block",
      "oxl",
      "x4bnet",
    ]);
    expect(at("44.200.1.2", network(16509)).flags.isHosting.agreement).toBe(1);
  });

  test("sets VPN for networks of VPN companies and of their hosting companies, as one family", () => {
    const own = merge(network(208172));
    expect(own.flags.isVpn).toMatchObject({
      value: true,
      yes: ["as_class"],
      agreement: 1,
      authoritative: false,
    });
    expect(own.vpn).toEqual({ name: "Proton VPN" });
    expect(own.usage.type).toBe("hosting");
    const landlord = merge(network(9009));
    expect(landlord.flags.isVpn.value).toBe(true);
    expect(landlord.vpn).toBeUndefined();
    expect(merge(network(9009), answered("a", { flags: { isVpn: false } })).flags.isVpn).toMatchObject({
      yes: ["as_class"],
      no: ["a"],
    });
    const named = merge(network(208172), answered("a", { flags: { isVpn: true }, vpn: { name: "Other" } }));
    expect(named.vpn).toEqual({ name: "Other" });
    expect(merge(network(24940)).flags.isVpn.value).toBe(false);
  });

  test("classifies research, access and mobile networks, and prefers more specific sources", () => {
    expect(merge(network(4538)).usage.type).toBe("education");
    expect(merge(network(4538), answered("a", { usage: "business" })).usage.type).toBe("education");
    expect(merge(network(749)).usage.type).toBe("government");
    expect(merge(network(4134)).usage).toMatchObject({
      type: "residential",
      reasons: ["as_class", "oxl_isp"],
      answered: false,
    });
    expect(merge(network(4134), answered("a", { usage: "business" })).usage.type).toBe("business");
    expect(merge(network(4134)).flags.isHosting.value).toBe(false);
    expect(merge(network(21928)).flags.isMobile).toMatchObject({ value: true, yes: ["as_class"] });
    expect(merge(network(21928)).usage.type).toBe("mobile");
  });

  test("uses the registry name of a block in an access network, and not in the network of a university", () => {
    const block = answered("rdap", { registry: { netName: "EXAMPLE-IDC" } });
    expect(merge(network(4134), block).usage).toMatchObject({ type: "hosting", reasons: ["registry_name"] });
    expect(merge(network(4538), block).usage.type).toBe("education");
    expect(merge(network(21928), block).usage.type).toBe("mobile");
  });

  test("knows an operator of Tor relays, and calls the network neither VPN nor Tor exit", () => {
    const tor = merge(network(60729, "Example Foundation"));
    expect(tor.torOperator).toEqual({ name: "Stiftung Erneuerbare Freiheit" });
    expect(tor.usage).toMatchObject({ type: "hosting", kind: "tor" });
    expect(tor.usage.kinds).toContainEqual({ origin: "openasn", kind: "vpn", weight: 10, agrees: true });
    expect(tor.flags.isVpn.value).toBe(false);
    expect(tor.flags.isTor.value).toBe(false);
    expect(merge(network(24940)).torOperator).toBeUndefined();
  });

  test("knows companies and corporate gateways as business, never VPN", () => {
    for (const asn of [714, 22616, 398391]) {
      const { usage, flags } = merge(network(asn));
      expect(usage.type).toBe("business");
      expect(flags.isVpn.value).toBe(false);
      expect(flags.isHosting.value).toBe(false);
    }
  });

  test("knows a hosting company only from published lists, and a VPN service too", () => {
    expect(merge(network(27823)).usage).toMatchObject({ type: "hosting", families: ["as_class"] });
    const service = merge(network(216059));
    expect(service.flags.isVpn).toMatchObject({ value: true, yes: ["as_class"], agreement: 1 });
    expect(service.usage.kinds).toContainEqual({ origin: "openasn", kind: "vpn", weight: 10, agrees: true });
  });

  test("hears a downloaded list of AS numbers where no stronger origin contradicts it, and shows it anyway", () => {
    const list = (id: string, ...asKinds: readonly AsKind[]) => answered(id, { asKinds });
    const agreed = merge(network(64500), list("peeringdb", "isp"), list("as_metadata", "isp"));
    expect(agreed.usage).toMatchObject({
      type: "residential",
      families: ["ipverse", "peeringdb"],
      stated: 2,
      answered: true,
    });
    const tags = merge(network(64500), list("bgp_tools_tags", "hosting", "vpn"), list("peeringdb", "isp"));
    expect(tags.flags.isHosting).toMatchObject({ value: true, yes: ["bgp_tools"] });
    expect(tags.flags.isVpn.yes).toEqual(["bgp_tools"]);
    expect(tags.usage.kinds).toContainEqual({ origin: "peeringdb", kind: "isp", weight: 2, agrees: false });
    const lost = merge(network(4134), list("bgp_tools_tags", "hosting"));
    expect(lost.flags.isHosting.value).toBe(false);
    expect(lost.usage.kinds[1]).toEqual({
      origin: "bgp_tools_tags",
      kind: "hosting",
      weight: 4,
      agrees: false,
    });
    expect(merge(network(64500), list("other", "isp")).usage.type).toBe("unknown");
  });

  test("knows phones by their block in a network that serves homes too", () => {
    expect(at("31.94.0.1", network(2856)).usage).toMatchObject({
      type: "mobile",
      reasons: ["mobile_block"],
    });
    expect(at("31.94.0.1", network(2856)).flags.isMobile.value).toBe(true);
    expect(at("86.128.0.1", network(2856)).usage.type).toBe("residential");
  });

  test("takes a public resolver for a business where nothing else is known, and no crawler", () => {
    const service = (role: "public_dns_resolver" | "crawler") =>
      answered("infra", { infrastructure: { role, operator: "Example" } });
    expect(merge(network(64500), service("public_dns_resolver")).usage).toMatchObject({
      type: "business",
      reasons: ["service"],
    });
    expect(merge(network(24940), service("public_dns_resolver")).usage.type).toBe("hosting");
    expect(merge(network(64500), service("crawler")).usage.type).toBe("unknown");
  });

  test("prefers our own table to the name of a known AS", () => {
    expect(merge(network(4134, "Example Cloud Hosting")).usage.type).toBe("residential");
    expect(merge(network(24940, "Example University")).usage.type).toBe("hosting");
  });
});

describe("mergeEvidence() on place", () => {
  const place = (id: string, geo: Observation["geo"] & object) => answered(id, { geo });
  const registered = (country: string) => answered("rdap", { registry: { country } });

  test("follows the majority of families, and takes details only from sources that agree", () => {
    const { geo, countries } = merge(
      place("a", { country: "FR", city: "Paris", timezone: "Europe/Paris" }),
      place("b", { country: "DE", region: "Hessen" }),
      place("c", { country: "DE", timezone: "Europe/Berlin" }),
    );
    expect(geo).toEqual({ country: "DE", region: "Hessen", timezone: "Europe/Berlin" });
    expect(countries).toEqual(["DE", "FR"]);
  });

  test("decides a tie by the registration, else by the number of sources, and never leaves the country out", () => {
    const tie = [place("a", { country: "FR" }), place("b", { country: "DE" })];
    expect(merge(...tie).geo).toEqual({ country: "DE" });
    expect(merge(...tie, registered("FR")).geo).toEqual({ country: "FR" });
    expect(merge(...tie, registered("FR")).native.type).toBe("native");
    const more = answered("c", { geo: { country: "FR" } }, { family: "a" });
    expect(merge(...tie, more).geo).toEqual({ country: "FR" });
    expect(merge(...tie, registered("US")).native).toEqual({
      type: "unknown",
      reason: "disputed",
      registered: "US",
      located: "DE",
    });
  });

  test("tells which sources name which country when they disagree, the best supported first", () => {
    const places = [
      place("a", { country: "FR" }),
      place("b", { country: "DE" }),
      place("c", { country: "FR" }),
    ];
    expect(merge(...places).countryClaims).toEqual([
      { country: "FR", sources: ["Name of a", "Name of c"] },
      { country: "DE", sources: ["Name of b"] },
    ]);
    expect(merge(place("a", { country: "FR" })).countryClaims).toEqual([]);
  });

  test("tells why the native type is unknown", () => {
    expect(merge(place("a", { country: "FR" })).native.reason).toBe("not_registered");
    expect(merge(registered("FR")).native.reason).toBe("not_located");
    const anycast = answered("b", { anycast: true });
    expect(merge(place("a", { country: "FR" }), registered("FR"), anycast).native.reason).toBe("anycast");
    const service = answered("b", { infrastructure: { role: "root_server", operator: "Example" } });
    expect(merge(place("a", { country: "FR" }), service).native.reason).toBe("infrastructure");
    expect(merge(place("a", { country: "FR" }), registered("FR")).native.reason).toBeUndefined();
  });

  test("compares registration with use, and ignores the codes EU and AP", () => {
    expect(merge(place("a", { country: "de" }), registered("DE")).native.type).toBe("native");
    expect(merge(place("a", { country: "NL" }), registered("DE")).native).toEqual({
      type: "broadcast",
      registered: "DE",
      located: "NL",
    });
    expect(merge(place("a", { country: "NL" }), registered("EU")).native.type).toBe("unknown");
    expect(merge(place("a", { country: "AP" }), registered("DE")).native.type).toBe("unknown");
    const service = answered("infra", { infrastructure: { role: "root_server", operator: "Example" } });
    expect(merge(place("a", { country: "NL" }), registered("DE"), service).native.type).toBe("unknown");
  });

  test("never reports an anycast address as broadcast", () => {
    const table = answered("a", { registry: { country: "US" } });
    const place = answered("b", { geo: { country: "CA" } });
    expect(merge(table, place).native.type).toBe("broadcast");
    expect(merge(table, place, answered("c", { anycast: true })).native.type).toBe("unknown");
  });

  test("never reports an address of a satellite network as broadcast", () => {
    const place = answered("b", { geo: { country: "NZ" } });
    const starlink = answered("table", { asn: { asn: 14593, name: "Space Exploration" } });
    expect(merge(starlink, place, registered("US")).native.type).toBe("unknown");
    expect(merge(starlink).usage).toMatchObject({ type: "residential", kind: "satellite" });
    const list = answered("list", { satellite: true });
    expect(merge(list, place, registered("US")).native.type).toBe("unknown");
    expect(merge(place, registered("US")).native.type).toBe("broadcast");
  });

  test("knows whether a source that sees residential proxies answered", () => {
    const has = (run: SourceRun) => merge(run).hasResidentialProxyAnswer;
    expect(has(answered("a", { flags: { isProxy: true } }))).toBe(false);
    expect(has(answered("a", { residentialProxy: false }))).toBe(true);
    expect(has(answered("a", { residentialProxy: true }))).toBe(true);
    expect(has(run("a", { state: "failed", error: "timeout" }))).toBe(false);
  });

  test("prefers RDAP, and fills gaps from others only for the same registry", () => {
    const { registry, native } = merge(
      answered("a_table", { registry: { rir: "arin", country: "US", netName: "TABLE" } }),
      answered("rdap", { registry: { rir: "arin", netName: "EXAMPLE", org: "Example Inc." } }),
      answered("other", { registry: { rir: "apnic", cidr: "81.2.0.0/16" } }),
    );
    expect(registry).toEqual({ rir: "arin", country: "US", netName: "EXAMPLE", org: "Example Inc." });
    expect(native.registered).toBe("US");
  });
});

describe("mergeEvidence() on the network", () => {
  test("prefers live routing and completes it only for the same AS", () => {
    const { asn, announced } = merge(
      answered("asn_table", { asn: { asn: 64500, name: "Old name", org: "Old org" } }, { local: true }),
      answered("proxycheck", { asn: { asn: 64501, org: "Other org" } }),
      answered("team_cymru", { asn: { asn: 64500, route: "81.2.64.0/19" }, announced: true }),
    );
    expect(asn).toEqual({ asn: 64500, name: "Old name", org: "Old org", route: "81.2.64.0/19" });
    expect(announced).toBe(true);
  });
});

describe("mergeEvidence() on lists", () => {
  const zone = (id: string) => ({ zone: { id, label: `Label ${id}` } });

  test("shows lists without an answer as unavailable, and leaves out lists that were not expected", () => {
    const { listings } = merge(
      run("a", { ...zone("za"), state: "failed", error: "timeout" }),
      run("b", { ...zone("zb"), state: "skipped", skipped: "zone_retired" }),
      run("c", { ...zone("zc"), state: "skipped", skipped: "daily_budget" }),
      run("d", { ...zone("zd"), state: "skipped", skipped: "noncommercial" }),
      run("e", { ...zone("ze"), state: "skipped", skipped: "live_off" }),
      run("f", { ...zone("zf"), state: "empty" }),
      answered("g", { listings: [listing("zg")] }, zone("zg")),
    );
    expect(listings.map(({ zone, answered, listed }) => `${zone} ${answered} ${listed}`)).toEqual([
      "za false false",
      "zb false false",
      "zc false false",
      "zf true false",
      "zg true true",
    ]);
  });

  test("reads a listing without a meaning as undocumented", () => {
    const { listings } = merge(answered("a", { listings: [listing("z", { meanings: [] })] }));
    expect(listings[0]?.meanings).toEqual(["unclassified"]);
  });
});

describe("mergeEvidence() on the rest", () => {
  test("names the operator of a VPN only when the flag isVpn is set", () => {
    const vpn = { name: "Example VPN" };
    expect(merge(answered("a", { vpn })).vpn).toBeUndefined();
    expect(merge(answered("a", { vpn, flags: { isVpn: true } })).vpn).toEqual(vpn);
  });

  test("joins exposure and takes the largest number of devices", () => {
    const { exposure, sharing } = merge(
      answered("a", {
        exposure: { observed: true, ports: [443, 22], vulns: ["CVE-2026-2"] },
        sharing: { address: 3 },
      }),
      answered("b", {
        exposure: { observed: false, ports: [22], vulns: ["CVE-2026-1"] },
        sharing: { address: 9, subnet: 40 },
      }),
    );
    expect(exposure).toEqual({ observed: true, ports: [22, 443], vulns: ["CVE-2026-1", "CVE-2026-2"] });
    expect(sharing).toEqual({ address: 9, subnet: 40 });
  });

  test("distinguishes a scanner without a record from a scanner without an answer", () => {
    const scanner: Partial<SourceRun> = { matters: ["exposure"] };
    expect(merge(run("a", scanner)).exposure).toEqual({ observed: false, ports: [], vulns: [] });
    expect(merge(run("a", { ...scanner, state: "failed", error: "timeout" })).exposure).toBeUndefined();
    expect(merge(run("a", { ...scanner, state: "skipped", skipped: "no_key" })).exposure).toBeUndefined();
  });

  test("measures coverage without sources that were not expected and without sources of weight 0", () => {
    const { coverage } = merge(
      answered("a", {}, { weight: 3, matters: ["anonymity", "abuse"] }),
      run("b", { weight: 0.5, local: true, matters: ["location"] }),
      run("c", { weight: 2, state: "failed", error: "timeout", matters: ["lists"] }),
      run("d", { weight: 5, state: "skipped", skipped: "no_key" }),
      run("e", { weight: 0, local: true }),
    );
    expect(coverage).toEqual({
      expectedWeight: 5.5,
      answeredWeight: 3.5,
      expectedSources: 3,
      answeredSources: 2,
      liveAnswered: 1,
      liveListsAnswered: 0,
      obtained: { total: 3.5 / 5.5, network: 0, anonymity: 1, lists: 0, abuse: 1, exposure: 0 },
      answeredCategories: ["abuse", "anonymity", "location", "network"],
      expectedCategories: ["abuse", "anonymity", "lists", "location", "network"],
      unanswered: ["Name of c"],
    });
  });

  test("counts sources as not obtained that are off, unless another one is asked in their place", () => {
    const obtainedWith = (skip: Partial<SourceRun>) =>
      merge(
        answered("a", {}, { weight: 1, matters: ["lists"] }),
        run("b", { weight: 3, state: "skipped", matters: ["lists", "abuse"], ...skip }),
      ).coverage.obtained;
    const partly = { total: 0.25, lists: 0.25, abuse: 0 };
    expect(obtainedWith({ skipped: "live_off" })).toMatchObject(partly);
    expect(obtainedWith({ skipped: "turned_off" })).toMatchObject(partly);
    expect(obtainedWith({ skipped: "daily_budget" })).toMatchObject(partly);
    const all = { total: 1, lists: 1, abuse: 0 };
    expect(obtainedWith({ skipped: "turned_off", detail: "c is asked instead" })).toMatchObject(all);
    expect(obtainedWith({ skipped: "no_key" })).toMatchObject(all);
    expect(obtainedWith({ skipped: "settled" })).toMatchObject(all);
  });

  test("uses an ageing source in full, and counts half of its weight as answered", () => {
    const vpn = { flags: { isVpn: true } } as const;
    const fresh = merge(answered("a", vpn, { weight: 3 }), answered("b", {}, { weight: 1 }));
    const aged = merge(
      answered("a", { ...vpn, ageing: true }, { weight: 3 }),
      answered("b", {}, { weight: 1 }),
    );
    expect(fresh.coverage).toMatchObject({ expectedWeight: 4, answeredWeight: 4, answeredSources: 2 });
    expect(aged).toEqual({
      ...fresh,
      coverage: {
        ...fresh.coverage,
        answeredWeight: 2.5,
        obtained: { ...fresh.coverage.obtained, total: 2.5 / 4, network: 2.5 / 4 },
      },
    });
  });
});
