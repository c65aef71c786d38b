import type { ListMeaning } from "#datasets";

/** A publication of lists: who published it, where, when, under which licence. */
interface Publication {
  readonly publisher: string;
  readonly repository: string;
  readonly date: string;
  readonly licence: string;
}

/** A list of the snapshot: the feed whose place it takes, its files in the folder, and what all its ranges mean. */
export interface SnapshotSource {
  readonly feed: string;
  /** Paths in the folder; one for each IP version that the publisher has. */
  readonly files: readonly string[];
  readonly publication: Publication;
  readonly meaning: ListMeaning;
  readonly label?: string;
  /** Prefixes of the file that the feed does not contain; a range of the file that lies in one of them is left out. */
  readonly without?: readonly string[];
}

const X4BNET: Publication = {
  publisher: "X4BNet",
  repository: "https://github.com/X4BNet/lists_vpn (167937a7)",
  date: "2026-08-22",
  licence: "MIT",
};

/** Collects what each operator publishes about its own ranges. */
const IPRANGES: Publication = {
  publisher: "lord-alfred/ipranges",
  repository: "https://github.com/lord-alfred/ipranges (14dd971b)",
  date: "2026-08-22",
  licence: "CC0-1.0",
};

/** GitHub's own space, as registered: its services and its staff, no jobs of its users. */
const GITHUB_OWN = [
  "140.82.112.0/20",
  "143.55.64.0/20",
  "185.199.108.0/22",
  "192.30.252.0/22",
  "2606:50c0::/32",
  "2a0a:a440::/29",
];

/** Google's public resolvers, which the feed of its cloud does not contain. */
const GOOGLE_RESOLVERS = ["8.8.4.0/24", "8.8.8.0/24", "2001:4860::/32"];

/**
 * The lists of the snapshot. Left out on purpose:
 * - Facebook, Telegram and Twitter: ranges of a company's own services. No feed says anything about them, and their AS
 *   numbers say what they are.
 * - DuckAssistBot: the publication repeats the file of DuckDuckBot.
 */
export const SNAPSHOT_SOURCES: readonly SnapshotSource[] = [
  { feed: "x4bnet_vpn", ...locateX4bnet("vpn"), meaning: "vpn" },
  { feed: "x4bnet_datacenter", ...locateX4bnet("datacenter"), meaning: "hosting" },
  { feed: "protonvpn", ...locateIpranges("protonvpn", [4]), meaning: "vpn", label: "Proton VPN" },
  {
    feed: "private_relay",
    ...locateIpranges("apple-proxy"),
    meaning: "relay",
    label: "iCloud Private Relay",
  },
  { feed: "googlebot", ...locateIpranges("googlebot"), meaning: "search_bot", label: "Googlebot" },
  { feed: "bingbot", ...locateIpranges("bing", [4]), meaning: "search_bot", label: "Bingbot" },
  { feed: "duckduckbot", ...locateIpranges("duckduckbot", [4]), meaning: "search_bot", label: "DuckDuckBot" },
  // Crawlers and fetchers in one file: all of them are servers that fetch pages, only some are crawlers.
  { feed: "chatgpt_user", ...locateIpranges("openai", [4]), meaning: "user_fetcher", label: "OpenAI" },
  {
    feed: "perplexity_user",
    ...locateIpranges("perplexity", [4]),
    meaning: "user_fetcher",
    label: "Perplexity",
  },
  { feed: "aws", ...locateIpranges("amazon"), meaning: "hosting", label: "AWS" },
  // All of Google and of Microsoft, clouds and services. Their offices are the smallest part.
  {
    feed: "google_cloud",
    ...locateIpranges("google"),
    meaning: "hosting",
    label: "Google",
    without: GOOGLE_RESOLVERS,
  },
  { feed: "azure", ...locateIpranges("microsoft"), meaning: "hosting", label: "Microsoft" },
  { feed: "oracle_cloud", ...locateIpranges("oracle", [4]), meaning: "hosting", label: "Oracle Cloud" },
  { feed: "cloudflare", ...locateIpranges("cloudflare"), meaning: "cdn", label: "Cloudflare" },
  { feed: "digitalocean", ...locateIpranges("digitalocean"), meaning: "hosting", label: "DigitalOcean" },
  { feed: "linode", ...locateIpranges("linode"), meaning: "hosting", label: "Linode" },
  { feed: "vultr", ...locateIpranges("vultr"), meaning: "hosting", label: "Vultr" },
  {
    feed: "github_actions",
    ...locateIpranges("github"),
    meaning: "hosting",
    label: "GitHub Actions",
    without: GITHUB_OWN,
  },
];

function locateX4bnet(name: string): Pick<SnapshotSource, "files" | "publication"> {
  return { files: [4, 6].map((version) => `x4bnet/${name}-ipv${version}.txt`), publication: X4BNET };
}

function locateIpranges(
  name: string,
  versions: readonly (4 | 6)[] = [4, 6],
): Pick<SnapshotSource, "files" | "publication"> {
  return { files: versions.map((version) => `ipranges/${name}-ipv${version}.txt`), publication: IPRANGES };
}
