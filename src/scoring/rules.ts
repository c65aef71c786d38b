import type { Rule } from "./rule.ts";
import { abuseScore } from "./rules/abuse_score.ts";
import { attackHistory } from "./rules/attack_history.ts";
import { blocklists } from "./rules/blocklists.ts";
import { bogon } from "./rules/bogon.ts";
import { botnetController } from "./rules/botnet_controller.ts";
import { broadcast } from "./rules/broadcast.ts";
import { cap } from "./rules/cap.ts";
import { carriedFading } from "./rules/carried_fading.ts";
import { exposedVulnerabilities } from "./rules/exposed_vulnerabilities.ts";
import { hosting } from "./rules/hosting.ts";
import { notObtained } from "./rules/not_obtained.ts";
import { openPorts } from "./rules/open_ports.ts";
import { proxy } from "./rules/proxy.ts";
import { publicInfrastructure } from "./rules/public_infrastructure.ts";
import { relay } from "./rules/relay.ts";
import { residentialAgreement } from "./rules/residential_agreement.ts";
import { severeListing } from "./rules/severe_listing.ts";
import { sharedAddress } from "./rules/shared_address.ts";
import { sharedLineRelief } from "./rules/shared_line_relief.ts";
import { torExit } from "./rules/tor_exit.ts";
import { usageUnknown } from "./rules/usage_unknown.ts";
import { verifiedCrawler } from "./rules/verified_crawler.ts";
import { vpn } from "./rules/vpn.ts";

const CHARGES_AND_RELIEFS: readonly Rule[] = [
  bogon,
  torExit,
  proxy,
  vpn,
  relay,
  hosting,
  usageUnknown,
  broadcast,
  botnetController,
  severeListing,
  blocklists,
  abuseScore,
  attackHistory,
  exposedVulnerabilities,
  openPorts,
  sharedAddress,
  cap("anonymity_cap", "anonymity"),
  cap("network_cap", "network"),
  cap("lists_cap", "lists"),
  cap("abuse_cap", "abuse"),
  cap("exposure_cap", "exposure"),
  sharedLineRelief,
  residentialAgreement,
  verifiedCrawler,
  publicInfrastructure,
];

/**
 * All rules, in the order of the score breakdown: charges, then caps, then reliefs, then what was not obtained. On special-purpose space only
 * `bogon` runs.
 */
export const RULES: readonly Rule[] = [
  ...CHARGES_AND_RELIEFS,
  carriedFading(CHARGES_AND_RELIEFS),
  notObtained,
];
