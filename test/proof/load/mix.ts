import type { LoadKind } from "./load_plan.ts";

const json = (address: string) => `/api/lookup?ip=${address}&lang=en`;

/** Reports from memory in all formats: of every 100, 55 JSON, 20 text, 20 pages, 5 badges. */
export function hitMix(addresses: readonly string[]): readonly LoadKind[] {
  return [
    { name: "json", weight: 55, paths: addresses.map(json), statuses: [200] },
    {
      name: "text",
      weight: 20,
      paths: addresses.map((address) => `/en/ip/${address}.txt`),
      statuses: [200],
    },
    { name: "page", weight: 20, paths: addresses.map((address) => `/ip/${address}`), statuses: [200] },
    {
      name: "badge",
      weight: 5,
      paths: addresses.map((address) => `/badge/${address}.svg`),
      statuses: [200],
    },
  ];
}

/** Bad input, each with its right answer. */
export const BAD_INPUT: readonly LoadKind[] = [
  {
    name: "bad input",
    weight: 3,
    paths: ["/api/lookup?ip=999.1.1.1", "/api/lookup", "/api/lookup?ip=8.8.8.8&lang=xx", "/ip/%00"],
    statuses: [400, 404],
  },
  { name: "unknown path", weight: 1, paths: ["/wp-login.php", "/.env", "/api/none"], statuses: [404] },
];

/** Lookups of new addresses: each needs a survey. */
export function freshKind(weight: number, more: Partial<LoadKind> = {}): LoadKind {
  return {
    name: "fresh",
    weight,
    paths: ["/api/lookup?ip={fresh}&lang=en"],
    statuses: [200],
    ...more,
  };
}

/** Reports that must be read from the file, where memory holds fewer than these. */
export function storeKind(addresses: readonly string[], weight: number): LoadKind {
  return { name: "store", weight, paths: addresses.map(json), statuses: [200] };
}
