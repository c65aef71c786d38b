import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, addressFromWords, isWithin, parseAddress, parseLoosePrefix } from "#address";
import { UpstreamError } from "#upstream";
import { findRdapService, rdap } from "../../../src/sources/live/rdap.ts";
import { findRdapBlock, findRdapHolder } from "../../../src/sources/live/rdap_network.ts";

const ADDRESS = parse("203.0.113.7");

describe("findRdapService", () => {
  test("uses the longest block, in any order of the file", () => {
    const services = [
      [["203.0.0.0/8"], ["https://rdap.apnic.net/"]],
      [["203.0.113.0/24"], ["http://rdap.db.ripe.net/", "https://rdap.db.ripe.net"]],
      [["203.0.0.0/16", "nonsense"], ["https://rdap.arin.net/registry/"]],
    ];
    expect(findRdapService({ services }, ADDRESS)).toEqual({
      base: "https://rdap.db.ripe.net/",
      delegated: "203.0.113.0/24",
    });
    expect(findRdapService({ services: services.toReversed() }, ADDRESS)?.base).toBe(
      "https://rdap.db.ripe.net/",
    );
    expect(findRdapService({ services }, parse("203.0.1.1"))).toEqual({
      base: "https://rdap.arin.net/registry/",
      delegated: "203.0.0.0/16",
    });
    expect(findRdapService({ services }, parse("198.51.100.1"))).toBeUndefined();
    expect(findRdapService({ services }, parse("2001:db8::1"))).toBeUndefined();
  });

  test.each([
    "http://rdap.arin.net/registry/",
    "https://rdap.arin.net:8443/registry/",
    "https://rdap.arin.net.example.com/",
    "https://proxycheck.io/",
    "javascript:alert(1)",
    "nonsense",
  ])("refuses the service %s", (url) => {
    expect(() => findRdapService({ services: [[["203.0.113.0/24"], [url]]] }, ADDRESS)).toThrow(
      UpstreamError,
    );
  });

  test.each([null, {}, { services: [] }, { services: [["203.0.113.0/24", []]] }, "x"])(
    "refuses the bootstrap %p",
    (bootstrap) => {
      expect(() => findRdapService(bootstrap, ADDRESS)).toThrow(UpstreamError);
    },
  );
});

describe("findRdapBlock", () => {
  test("finds the largest block around the address that fits into the range", () => {
    const word = fc.integer({ min: 0, max: 0xffffffff });
    const words = (version: 4 | 6) =>
      version === 4
        ? fc.tuple(word)
        : fc.tuple(word, word, word).map((rest) => [0x20010db8, ...rest] as const);
    const three = fc
      .constantFrom<4 | 6>(4, 6)
      .chain((version) =>
        fc
          .tuple(words(version), words(version), words(version))
          .map((rows) => rows.map((row) => addressFromWords(version, row)).sort(compare)),
      );
    fc.assert(
      fc.property(three, ([start, own, end]) => {
        if (start === undefined || own === undefined || end === undefined || start.text === end.text) return;
        const block = findRdapBlock({ start: start.text, end: end.text, blocks: [] }, own);
        if (block === undefined) throw new Error("no block");
        expect(isWithin(own, block)).toBe(true);
        expect(holds(start, end, block.text)).toBe(true);
        if (block.bits > 0) expect(holds(start, end, `${own.text}/${block.bits - 1}`)).toBe(false);
      }),
    );
  });

  test("prefers the longest published block that contains the address", () => {
    const range = { start: "203.0.113.0", end: "203.0.113.255" };
    const blocks = ["203.0.112.0/23", "203.0.113.0/28", "203.0.113.128/25", "203.0.113.7/99"];
    expect(findRdapBlock({ ...range, blocks }, ADDRESS)?.text).toBe("203.0.113.0/28");
    expect(findRdapBlock({ ...range, blocks: ["203.0.113.128/25"] }, ADDRESS)?.text).toBe("203.0.113.0/24");
  });

  test.each([
    ["203.0.113.8", "203.0.113.255"],
    ["203.0.113.255", "203.0.113.0"],
    ["::", "ffff::"],
    ["203.0.113.0", undefined],
    ["203.0.113.0", "x"],
  ])("refuses the range %p to %p", (start, end) => {
    expect(() => findRdapBlock({ start, end, blocks: [] }, ADDRESS)).toThrow(UpstreamError);
  });
});

describe("findRdapHolder", () => {
  const named = (entities: readonly unknown[], more: object = {}) =>
    findRdapHolder({ name: "NET", entities, remarks: [], isNameHolder: false, ...more });

  test("never names a person, with any role, depth or handle", () => {
    const person = (handle: string, roles?: readonly string[]) => ({
      handle,
      ...(roles === undefined ? {} : { roles }),
      vcardArray: card("Jane Doe", "individual"),
    });
    for (const roles of [["registrant"], ["abuse", "registrant"], [], undefined]) {
      for (const handle of ["JD1-RIPE", "ORG-JD1-RIPE", ""]) {
        expect(named([person(handle, roles)])).toEqual({ netName: "NET" });
        expect(named([{ handle: "X", entities: [person(handle, roles)] }])).toEqual({ netName: "NET" });
        expect(named([person(handle, roles)], { name: "JANE DOE", isNameHolder: true })).toEqual({});
      }
    }
    const unmarked = { handle: "JD1", roles: ["registrant"], vcardArray: card("Jane Doe") };
    expect(named([unmarked], { remarks: [{ description: ["Jane's flat"] }] })).toEqual({ netName: "NET" });
  });

  test.each([
    ["abuse@example.net", "group", ["abuse"], true],
    [" Abuse.Desk+1@mail.example.net ", "org", ["technical", "abuse"], true],
    ["jane@example.net", "individual", ["abuse"], false],
    ["noc@example.net", "group", ["technical"], false],
    ["abuse@example", "group", ["abuse"], false],
    ["<b>@example.net", "group", ["abuse"], false],
    ["a@example.net\r\nBcc: b@example.net", "group", ["abuse"], false],
    [`${"a".repeat(65)}@example.net`, "group", ["abuse"], false],
    [["abuse@example.net"], "group", ["abuse"], false],
  ])(
    "takes the mail address %p of a %s with the roles %p as the abuse contact: %p",
    (mail, kind, roles, isTaken) => {
      const properties = [
        ["fn", {}, "text", "Desk"],
        ["kind", {}, "text", kind],
        ["email", {}, "text", mail],
      ];
      const desk = { handle: "X", roles, vcardArray: ["vcard", properties] };
      const expected = isTaken ? String(mail).trim() : undefined;
      expect(named([{ handle: "Y", entities: [desk] }]).abuseContact).toBe(expected);
    },
  );

  test("prefers the organisation to the first registrant, and any holder to a remark", () => {
    const plain = { handle: "EX", roles: ["registrant"], vcardArray: card("Example LLC", "org") };
    const org = { handle: "ORG-EX1-RIPE", roles: ["registrant"], vcardArray: card("Example GmbH") };
    const maintainer = {
      handle: "EX-MNT",
      roles: ["registrant"],
      vcardArray: card("Example staff", "group"),
    };
    const remarks = [{ description: ["a remark"] }];
    expect(named([plain, org], { remarks }).org).toBe("Example GmbH");
    expect(named([maintainer, plain], { remarks }).org).toBe("Example LLC");
    expect(named([maintainer], { remarks }).org).toBe("a remark");
    expect(named([maintainer]).org).toBeUndefined();
  });

  test.each([
    [[{ title: "remarks", description: ["not this"] }], undefined],
    [[{ description: [] }, { title: "Description", description: ["this"] }], "this"],
    [[{ description: ["write to a@example.org"] }], undefined],
    [[{ description: ["see https://example.org/"] }], undefined],
    [[{ description: ["*****"] }], undefined],
    [[{ description: ["x".repeat(121)] }], undefined],
    [[{ description: "this" }, null, 7], undefined],
  ])("reads the remarks %j as %p", (remarks, org) => {
    expect(named([], { remarks }).org).toBe(org as string);
  });

  test("takes an organisation in any role before a remark, and never a registry", () => {
    const entity = (handle: string, name: string, roles: readonly string[]) => ({
      handle,
      roles,
      vcardArray: card(name, "org"),
    });
    const remarks = [{ title: "description", description: ["Example Labs"] }];
    const contact = entity("EC1-AP", "Example contact", ["administrative"]);
    const org = entity("ORG-EX1-AP", "Example Research", ["administrative", "technical"]);
    expect(named([contact, org], { remarks }).org).toBe("Example Research");
    expect(named([contact], { remarks }).org).toBe("Example Labs");
    for (const registry of [
      "Asia Pacific Network Information Centre",
      "Japan Network Information Center",
      "RIPE Network Coordination Centre",
      "American Registry for Internet Numbers, Ltd.",
    ]) {
      const holder = entity("ORG-RG1-AP", registry, ["registrant"]);
      expect(named([holder], { remarks }).org).toBe("Example Labs");
      expect(named([holder]).org).toBeUndefined();
      expect(named([], { remarks: [{ description: [registry] }] }).org).toBeUndefined();
    }
  });

  test.each([
    "Nowheretown, Switzerland",
    "Sampleville, Hesse, Germany",
    "Singapore",
    "Exampleton, USA",
    "Beispielstadt, P.R. China",
    "Example and Sample DNS Resolver project",
    "Example World IPv6 Launch",
    "Dynamic pool for DSL customers",
    "Research prefix of Example Labs",
    "infrastructure",
  ])("does not take the remark %p for a holder: a place or a purpose", (line) => {
    expect(named([], { remarks: [{ description: [line] }] }).org).toBeUndefined();
  });

  test.each([
    "Example Corp.",
    "Example Link GmbH",
    "Launch Example Ltd",
    "Example Broadband",
    "Universidad de Ejemplo",
    "Example Telecom, Inc.",
    "Example of China",
  ])("takes the remark %p for a holder", (line) => {
    expect(named([], { remarks: [{ description: [line] }] }).org).toBe(line);
  });

  test("stays small on a deep and wide tree", () => {
    const tree = (depth: number): unknown => ({
      handle: "X",
      entities: depth === 0 ? [] : Array.from({ length: 30 }, () => tree(depth - 1)),
    });
    expect(named([tree(3)])).toEqual({ netName: "NET" });
    const endless: { handle: string; entities: unknown[] } = { handle: "X", entities: [] };
    endless.entities.push(endless);
    expect(named([endless])).toEqual({ netName: "NET" });
  });
});

describe("rdap", () => {
  const read = (body: object) =>
    rdap.read(
      {
        covered: true,
        delegated: "203.0.113.0/24",
        status: 200,
        host: "rdap.db.ripe.net",
        body: { startAddress: "203.0.113.0", endAddress: "203.0.113.255", ...body },
      },
      ADDRESS,
    )?.registry;

  test.each([
    ["whois.apnic.net", "apnic"],
    ["WHOIS.ARIN.NET", "arin"],
    ["whois.nic.ad.jp", "ripencc"],
    [undefined, "ripencc"],
    ["__proto__", "ripencc"],
  ])("names the registry of port43 %p", (port43, rir) => {
    expect(read(port43 === undefined ? {} : { port43 })?.rir).toBe(rir as "apnic");
  });

  test.each([
    ["IANA-BLK", "203.0.113.0", true],
    ["IANA-NETBLOCK-203", "203.0.113.0", true],
    ["EXAMPLE-ERX", "203.0.113.0", false],
    ["EXAMPLE-ERX", "203.0.0.0", true],
    ["EXAMPLE", "203.0.0.0", false],
    ["EXAMPLE", "0.0.0.0", true],
  ])("reports %s from %s as a placeholder: %p", (name, startAddress, isPlaceholder) => {
    const endAddress = { "203.0.113.0": "203.0.113.255", "203.0.0.0": "203.255.255.255" }[startAddress];
    const found = read({ name, startAddress, endAddress: endAddress ?? "255.255.255.255" });
    expect(found === undefined).toBe(isPlaceholder);
  });

  test("recognises a registry's placeholder by the block that IANA delegated to the registry", () => {
    const answer = (delegated: string, entities: readonly unknown[], startAddress = "203.0.0.0") =>
      rdap.read(
        {
          covered: true,
          delegated,
          status: 200,
          host: "rdap.apnic.net",
          body: { name: "EXAMPLE-203", startAddress, endAddress: "203.255.255.255", entities },
        },
        ADDRESS,
      );
    const registrant = (name: string, kind = "org") => [
      { handle: "ORG-EX1-AP", roles: ["registrant"], vcardArray: card(name, kind) },
    ];
    const own = [[], registrant("Asia Pacific Network Information Centre")];
    for (const entities of own) {
      expect(answer("203.0.0.0/8", entities)).toBeUndefined();
      expect(answer("203.0.0.0/8", entities, "202.0.0.0")).toBeUndefined();
      expect(answer("203.0.0.0/8", entities, "203.0.64.0")?.registry).toBeDefined();
      expect(answer("203.0.113.0/24", entities)?.registry).toBeDefined();
    }
    for (const entities of [registrant("Example Motor Company"), registrant("Jane Doe", "individual")])
      expect(answer("203.0.0.0/8", entities)?.registry).toBeDefined();
  });

  test("does not report the registry's IPv6 pool as a network", () => {
    const answer = (bits: number) =>
      rdap.read(
        {
          covered: true,
          delegated: "2001:db8::/32",
          status: 200,
          host: "rdap.apnic.net",
          body: { name: "POOL", cidr0_cidrs: [{ v6prefix: "2001:db8::", length: bits }] },
        },
        parse("2001:db8::7"),
      );
    expect(answer(12)).toBeUndefined();
    expect(answer(32)?.registry?.cidr).toBe("2001:db8::/32");
  });
});

function card(name: string, kind?: string) {
  const properties = [
    ["version", {}, "text", "4.0"],
    ["fn", {}, "text", name],
    ...(kind === undefined ? [] : [["kind", {}, "text", kind]]),
  ];
  return ["vcard", properties];
}

function holds(start: Address, end: Address, text: string): boolean {
  const block = parseLoosePrefix(text);
  if (block === undefined) throw new Error(`Cannot parse block "${text}"`);
  const host = (index: number) => Math.min(32, Math.max(0, 32 * (index + 1) - block.bits));
  const last = block.address.words.map((word, index) => word + 2 ** host(index) - 1);
  return compareWords(start.words, block.address.words) <= 0 && compareWords(last, end.words) <= 0;
}

function compare(a: Address, b: Address): number {
  return compareWords(a.words, b.words);
}

function compareWords(a: readonly number[], b: readonly number[]): number {
  for (const [index, word] of a.entries()) {
    const difference = word - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}
