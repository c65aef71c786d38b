import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Every list of AS numbers that the snapshot is made from, with numbers for documentation (RFC 5398). */
export const AS_LISTS: Readonly<Record<string, string>> = {
  "openasn/vpn_provider.txt": "# VPN\n\nAS64496  # Example. src: page\n",
  "openasn/hosting_extra.txt": "AS64497 # Example\r\n",
  "openasn/cdn.txt": "AS64498\n",
  "openasn/enterprise_gateway.txt": "AS64499\n",
  "openasn/mobile_carrier.txt": "AS64500\n",
  "openasn/eyeball_confirm.txt": "AS64501\n",
  "openasn/corrections.yml":
    '# c\n\n64502:\n  category: business\n  reason: "a bank"\n\n64503:\n  category: none\n  date: 2026-01-01\n',
  "x4bnet/vpn-asn.txt": "AS64496 # repeated by openasn\nAS64504 # Example\n",
  "x4bnet/datacenter-asn.txt": "AS64505 # Example\nAS64497 # repeated by openasn\n",
  "bad-asn/bad-asn-list.csv": 'ASN,Entity\n64505,"Example, US"\n"64506","Example, Inc., US"\n',
  "oxl/asn-vpn.csv": "ASN,Organization\n64507,Example\n",
  "oxl/asn-hosting.csv": "ASN,Organization\n64508,Example\n",
  "oxl/asn-education.csv": "ASN,Organization\n64509,Example",
  "oxl/asn-isp.csv": "ASN,Organization\n64511,Example\n64510,Example\n",
};

/** Writes {@link AS_LISTS} below `folder`. */
export function writeAsLists(folder: string): void {
  for (const [path, text] of Object.entries(AS_LISTS)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
