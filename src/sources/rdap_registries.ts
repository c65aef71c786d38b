/** The five regional registries, as reports name them. */
export type Rir = "arin" | "ripencc" | "apnic" | "lacnic" | "afrinic";

/** Hosts of the RDAP services that the bootstrap may name, https://data.iana.org/rdap/ */
export const RDAP_BASES: Readonly<Record<string, Rir>> = {
  "rdap.arin.net": "arin",
  "rdap.db.ripe.net": "ripencc",
  "rdap.apnic.net": "apnic",
  "rdap.lacnic.net": "lacnic",
  "rdap.afrinic.net": "afrinic",
};

/** National registries to which the regional ones redirect; their space is still the region's. */
export const RDAP_DELEGATES: Readonly<Record<string, Rir>> = {
  "idnic.rdap.apnic.net": "apnic",
  "jpnic.rdap.apnic.net": "apnic",
  "krnic.rdap.apnic.net": "apnic",
  "twnic.rdap.apnic.net": "apnic",
  "rdap.registro.br": "lacnic",
};

/** Values of `port43` (RFC 9083 section 4.7). */
export const RDAP_WHOIS: Readonly<Record<string, Rir>> = {
  "whois.arin.net": "arin",
  "whois.ripe.net": "ripencc",
  "whois.apnic.net": "apnic",
  "whois.lacnic.net": "lacnic",
  "whois.afrinic.net": "afrinic",
};
