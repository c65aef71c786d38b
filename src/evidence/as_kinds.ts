import { AS_KINDS, type AsKind, type UsageType } from "#report";

export { AS_KINDS, type AsKind };

/** What an AS of each kind is used for. The kind of a carrier shows no use. */
const USE_OF_KIND: Readonly<Record<AsKind, UsageType>> = {
  vpn: "hosting",
  vpn_host: "hosting",
  tor: "hosting",
  hosting: "hosting",
  cdn: "hosting",
  gateway: "business",
  business: "business",
  education: "education",
  government: "government",
  mobile: "mobile",
  isp: "residential",
  satellite: "residential",
  carrier: "unknown",
};

/** Returns the use of networks of the kind; `unknown` for a carrier. */
export function useOfKind(kind: AsKind): UsageType {
  return USE_OF_KIND[kind];
}
