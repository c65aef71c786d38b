import { type Address, isWithin, type Prefix, parsePrefix } from "#address";

/**
 * Whole allocations of cloud operators, one operator a row. They show what an address is where the routing table
 * does not: space that is not announced yet, and parts that carriers or partners announce for the cloud. Prefixes that a
 * cloud publishes one by one belong to its list, not here.
 *
 * Sources: the registries' records of the holders AT-88-Z and AMAZO-4, MSFT, GOGL, GOOGL-2 and ORACLE-4
 * (https://search.arin.net), of DigitalOcean, Vultr, Hetzner and OVHcloud, and https://ip-ranges.amazonaws.com.
 */
export const CLOUD_BLOCKS: readonly (readonly [operator: string, blocks: string])[] = [
  [
    "Amazon Web Services",
    `3.0.0.0/8 13.32.0.0/12 13.48.0.0/13 13.56.0.0/14 13.112.0.0/14 13.124.0.0/14 13.224.0.0/14 13.228.0.0/14
     13.232.0.0/13 13.244.0.0/14 13.248.0.0/14 18.32.0.0/11 18.64.0.0/10 18.128.0.0/9 23.20.0.0/14 34.192.0.0/10
     35.152.0.0/13 35.160.0.0/12 35.176.0.0/13 44.192.0.0/10 46.137.0.0/16 50.16.0.0/14 50.112.0.0/16 52.0.0.0/10
     52.64.0.0/12 52.80.0.0/13 52.88.0.0/13 52.192.0.0/11 54.64.0.0/11 54.144.0.0/12 54.160.0.0/11 54.192.0.0/10
     63.32.0.0/14 75.101.128.0/17 79.125.0.0/17 99.77.0.0/16 99.78.0.0/15 99.80.0.0/13 100.20.0.0/14 100.24.0.0/13
     107.20.0.0/14 108.128.0.0/13 108.136.0.0/14 174.129.0.0/16 176.34.0.0/16 184.72.0.0/15 204.236.128.0/17
     205.251.192.0/18 216.182.224.0/20
     2400:6500::/32 2400:6700::/32 2400:7fc0::/32 2404:c2c0::/32 2406:da00::/24 2600:1f00::/24 2600:9000::/28
     2606:7b40::/32 2804:800::/32 2a05:d000::/25`,
  ],
  [
    "Microsoft",
    `13.64.0.0/11 13.96.0.0/13 13.104.0.0/14 20.33.0.0/16 20.34.0.0/15 20.36.0.0/14 20.40.0.0/13 20.48.0.0/12
     20.64.0.0/10 20.192.0.0/10 23.96.0.0/13 40.64.0.0/13 40.74.0.0/15 40.76.0.0/14 40.80.0.0/12 40.96.0.0/12
     40.112.0.0/13 40.120.0.0/14 52.96.0.0/12 52.112.0.0/14 52.136.0.0/13 52.148.0.0/14 52.152.0.0/13 52.160.0.0/11
     52.224.0.0/11 65.52.0.0/14 104.40.0.0/13 104.208.0.0/13 168.61.0.0/16 168.62.0.0/15 191.232.0.0/13
     2603:1000::/24 2620:1ec::/36 2a01:110::/31`,
  ],
  [
    "Google",
    `34.64.0.0/10 34.128.0.0/10 35.184.0.0/13 35.192.0.0/11 35.224.0.0/12 35.240.0.0/13 64.233.160.0/19 66.102.0.0/20
     66.249.64.0/19 72.14.192.0/18 74.125.0.0/16 104.154.0.0/15 104.196.0.0/14 130.211.0.0/16 142.250.0.0/15
     172.217.0.0/16 173.194.0.0/16 209.85.128.0/17 216.58.192.0/19 216.239.32.0/19
     2001:4860::/32 2404:6800::/32 2600:1900::/28 2607:f8b0::/32 2800:3f0::/32 2a00:1450::/32 2c0f:fb50::/32`,
  ],
  [
    "Oracle Cloud",
    "132.145.0.0/16 150.136.0.0/16 152.67.0.0/16 158.101.0.0/16 193.122.0.0/15 2603:c000::/24",
  ],
  ["DigitalOcean", "2400:6180::/32 2604:a880::/32 2a03:b0c0::/32"],
  ["Vultr", "2001:19f0::/32"],
  ["Hetzner", "2a01:4f8::/31"],
  ["OVHcloud", "2001:41d0::/32 2607:5300::/32"],
];

interface Block {
  readonly operator: string;
  readonly prefix: Prefix;
}

/** Blocks by IP version and first eight bits, so that a lookup compares only a few. */
const BLOCKS = readBlocks();

/** Returns the operator of the cloud whose block contains the address. */
export function findCloudBlock(address: Address): string | undefined {
  return BLOCKS.get(bucketOf(address))?.find(({ prefix }) => isWithin(address, prefix))?.operator;
}

/** @throws Error when the table has a text that is no prefix. This happens when the program starts, not later. */
function readBlocks(): ReadonlyMap<string, readonly Block[]> {
  const blocks = CLOUD_BLOCKS.flatMap(([operator, texts]) =>
    texts.split(/\s+/).map((text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined || prefix.bits < 8) throw new Error(`Cannot read "${text}" as a block`);
      return { operator, prefix };
    }),
  );
  return Map.groupBy(blocks, ({ prefix }) => bucketOf(prefix.address));
}

function bucketOf({ version, words }: Address): string {
  return `${version}/${(words[0] ?? 0) >>> 24}`;
}
