import { describe, expect, test } from "bun:test";
import { mergeEvidence } from "#evidence";
import { score } from "#scoring";
import { summarise } from "./summarise.ts";
import { SURVEYS } from "./surveys.ts";

const EXPECTED: Readonly<Record<keyof typeof SURVEYS, ReturnType<typeof summarise>>> = {
  home: {
    conclusion: "100 pristine, confidence high, verdict no_signals",
    network: "residential, native",
    flags: "",
    bill: "residential_agreement -5",
    scenarios: [
      "ai 100 excellent: usage, native",
      "social 100 excellent: usage, native",
      "streaming 100 excellent: usage, native",
      "gaming 100 excellent: usage, native",
      "ecommerce 100 excellent: usage, native",
      "email 30 poor: policy_listed, usage",
    ],
    unheard: false,
  },
  mobile: {
    conclusion: "91 pristine, confidence high, verdict minor_signals",
    network: "mobile, native",
    flags: "isMobile 2",
    bill: "blocklists 12, attack_history 6, shared_line_relief -9",
    scenarios: [
      "ai - restricted: restricted",
      "social 91 excellent: listed, abused",
      "streaming 98 excellent: listed, abused",
      "gaming 96 excellent: listed, abused",
      "ecommerce 88 excellent: listed, usage, abused",
      "email 0 unusable: policy_listed, usage, listed",
    ],
    unheard: false,
  },
  cloud: {
    conclusion: "74 clean, confidence high, verdict hosting",
    network: "hosting, broadcast",
    flags: "isHosting 2",
    bill: "hosting 20, broadcast 6",
    scenarios: [
      "ai 64 fair: hosting, broadcast",
      "social 52 fair: hosting, broadcast",
      "streaming 35 poor: hosting, broadcast",
      "gaming 75 good: hosting, broadcast",
      "ecommerce 53 fair: hosting, broadcast",
      "email 97 excellent: hosting, not_listed",
    ],
    unheard: false,
  },
  tor: {
    conclusion: "0 dangerous, confidence high, verdict tor_exit",
    network: "hosting, native",
    flags: "isProxy 1, isTor 3, isHosting 1",
    bill: "tor_exit 60 floor 60, proxy 20, hosting 10, blocklists 28, attack_history 11, anonymity_cap -20",
    scenarios: [
      "ai 0 unusable: tor_exit, listed, hosting",
      "social 0 unusable: tor_exit, listed, hosting",
      "streaming 0 unusable: tor_exit, hosting, listed",
      "gaming 0 unusable: tor_exit, listed, hosting",
      "ecommerce 0 unusable: tor_exit, listed, hosting",
      "email 0 unusable: tor_exit, listed, abused",
    ],
    unheard: false,
  },
  vpn: {
    conclusion: "44 suspicious, confidence high, verdict vpn",
    network: "hosting, broadcast",
    flags: "isVpn 2, isHosting 2",
    bill: "vpn 30, hosting 20, broadcast 6",
    scenarios: [
      "ai 44 poor: vpn, hosting, broadcast",
      "social 27 poor: vpn, hosting, broadcast",
      "streaming 0 unusable: vpn, hosting, broadcast",
      "gaming 60 fair: vpn, hosting, broadcast",
      "ecommerce 26 poor: vpn, hosting, broadcast",
      "email 59 fair: vpn, hosting",
    ],
    unheard: false,
  },
  resolver: {
    conclusion: "80 clean, confidence high, verdict infrastructure",
    network: "hosting, unknown",
    flags: "isHosting 2",
    bill: "hosting 20, blocklists 12, attack_history 9, public_infrastructure -21",
    scenarios: [
      "ai - not_applicable: infrastructure",
      "social - not_applicable: infrastructure",
      "streaming - not_applicable: infrastructure",
      "gaming - not_applicable: infrastructure",
      "ecommerce - not_applicable: infrastructure",
      "email - not_applicable: infrastructure",
    ],
    unheard: false,
  },
  crawler: {
    conclusion: "100 pristine, confidence high, verdict crawler",
    network: "hosting, unknown",
    flags: "isProxy 1, isHosting 2, isSearchEngineBot 2",
    bill: "proxy 20, hosting 20, verified_crawler -40",
    scenarios: [
      "ai - not_applicable: crawler",
      "social - not_applicable: crawler",
      "streaming - not_applicable: crawler",
      "gaming - not_applicable: crawler",
      "ecommerce - not_applicable: crawler",
      "email - not_applicable: crawler",
    ],
    unheard: false,
  },
  botnet: {
    conclusion: "20 risky, confidence high, verdict botnet_controller",
    network: "business, native",
    flags: "",
    bill: "botnet_controller 35 floor 80, blocklists 12, lists_cap -12",
    scenarios: [
      "ai 2 unusable: listed, usage",
      "social 0 unusable: listed, usage",
      "streaming 0 unusable: listed, usage",
      "gaming 5 unusable: listed",
      "ecommerce 5 unusable: listed",
      "email 5 unusable: listed",
    ],
    unheard: false,
  },
  bogon: {
    conclusion: "50 neutral, confidence low, verdict bogon",
    network: "unknown, unknown",
    flags: "isBogon 2",
    bill: "bogon 50 floor 50",
    scenarios: [
      "ai - not_applicable: bogon",
      "social - not_applicable: bogon",
      "streaming - not_applicable: bogon",
      "gaming - not_applicable: bogon",
      "ecommerce - not_applicable: bogon",
      "email - not_applicable: bogon",
    ],
    unheard: false,
  },
  silent: {
    conclusion: "90 pristine, confidence low, verdict hosting",
    network: "hosting, native",
    flags: "isHosting 1",
    bill: "hosting 10",
    scenarios: [
      "ai 69 fair: thin_evidence, hosting",
      "social 60 fair: thin_evidence, hosting",
      "streaming 50 fair: thin_evidence, hosting",
      "gaming 69 fair: thin_evidence, hosting",
      "ecommerce 65 fair: thin_evidence, hosting",
      "email 69 fair: thin_evidence, hosting",
    ],
    unheard: true,
  },
  down: {
    conclusion: "100 pristine, confidence low, verdict unheard",
    network: "residential, native",
    flags: "",
    bill: "",
    scenarios: [
      "ai 69 fair: thin_evidence, usage, native",
      "social 69 fair: thin_evidence, usage, native",
      "streaming 69 fair: thin_evidence, usage, native",
      "gaming 69 fair: thin_evidence, usage, native",
      "ecommerce 69 fair: thin_evidence, usage, native",
      "email 69 fair: thin_evidence, usage",
    ],
    unheard: true,
  },
  offline: {
    conclusion: "90 pristine, confidence low, verdict hosting",
    network: "hosting, native",
    flags: "isHosting 1",
    bill: "hosting 10",
    scenarios: [
      "ai 69 fair: thin_evidence, hosting",
      "social 60 fair: thin_evidence, hosting",
      "streaming 50 fair: thin_evidence, hosting",
      "gaming 69 fair: thin_evidence, hosting",
      "ecommerce 65 fair: thin_evidence, hosting",
      "email 69 fair: thin_evidence, hosting",
    ],
    unheard: false,
  },
};

const TITLES: Readonly<Record<keyof typeof SURVEYS, string>> = {
  home: "a home line",
  mobile: "a mobile line behind carrier-grade NAT",
  cloud: "a rented virtual machine",
  tor: "a Tor exit",
  vpn: "an exit of a known VPN service",
  resolver: "a public resolver",
  crawler: "a verified crawler",
  botnet: "a botnet controller on an authority's list",
  bogon: "a private address",
  silent: "a server when most sources fail",
  down: "an address when every live source fails",
  offline: "an address known from tables alone",
};

describe("score() believably assesses", () => {
  for (const name of Object.keys(SURVEYS) as (keyof typeof SURVEYS)[]) {
    test(TITLES[name], () => {
      const evidence = mergeEvidence(SURVEYS[name]);
      expect(summarise(evidence, score(evidence))).toEqual(EXPECTED[name]);
    });
  }
});
