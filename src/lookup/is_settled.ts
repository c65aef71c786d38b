import type { Evidence, FlagEvidence } from "#evidence";

/** One voice may err; the score, too, takes a flag for full only when two families agree on it. */
const AGREED = 2;

/** Share of the planned weight without which silence proves nothing; lists that never answer must not cost a quota. */
const NEARLY_ALL = 0.9;

/**
 * Whether another answer could hardly change the conclusion, so that no scarce question is worth asking. Pure.
 * Settled are: addresses that are nobody's exit; an authority's word, or two families', on how the address hides
 * whoever uses it; a hosting network, once somebody who can tell has also looked for a VPN or proxy on it; and an
 * ordinary line of which nearly everybody was heard and nobody had anything to say against.
 */
export function isSettled(evidence: Evidence): boolean {
  return isNobodysExit(evidence) || isUnmasked(evidence) || isPlainHosting(evidence) || isSpotless(evidence);
}

/** Special-purpose space, public resolvers and verified crawlers; nobody judges what is not an exit. */
function isNobodysExit({ special, infrastructure, flags }: Evidence): boolean {
  return special !== undefined || infrastructure !== undefined || isAgreed(flags.isSearchEngineBot);
}

/** What hides whoever uses it; or a hijacked or controlled netblock on an authority's word: nothing lifts either. */
function isUnmasked({ flags, listings }: Evidence): boolean {
  return (
    [flags.isTor, flags.isRelay, flags.isVpn, flags.isProxy].some(isAgreed) ||
    listings.some(
      ({ listed, authoritative, meanings }) =>
        listed && authoritative === true && meanings.some((one) => one === "severe" || one === "botnet"),
    )
  );
}

/** Most VPN exits stand in hosting networks, so "hosting" alone says little. */
function isPlainHosting(evidence: Evidence): boolean {
  return isAgreed(evidence.flags.isHosting) && isUnhidden(evidence);
}

function isSpotless(evidence: Evidence): boolean {
  const { flags, usage, listings, abuse, exposure, coverage } = evidence;
  const isHeardOut =
    coverage.answeredWeight >= coverage.expectedWeight * NEARLY_ALL &&
    coverage.liveAnswered > 0 &&
    coverage.expectedCategories.every((category) => coverage.answeredCategories.includes(category));
  const isListed = listings.some(
    ({ listed, meanings }) => listed && meanings.some((one) => one !== "policy" && one !== "info"),
  );
  const isAccused = abuse.some(
    ({ score = 0, reports = 0, attacks = {} }) => score > 0 || reports > 0 || Object.keys(attacks).length > 0,
  );
  return (
    isHeardOut &&
    isUnhidden(evidence) &&
    !flags.isHosting.value &&
    usage.type !== "unknown" &&
    usage.agreement >= AGREED &&
    !isListed &&
    !isAccused &&
    (exposure === undefined || exposure.vulns.length === 0)
  );
}

/** Nobody says that the address hides somebody, and somebody who can tell says that it does not. */
function isUnhidden({ flags: { isTor, isRelay, isVpn, isProxy } }: Evidence): boolean {
  const isRaised = isTor.value || isRelay.value || isVpn.value || isProxy.value;
  return !isRaised && isVpn.no.length + isProxy.no.length > 0;
}

/** What is known of an IPv6 address's /64 alone leaves room for a word on the address itself. */
function isAgreed(flag: FlagEvidence): boolean {
  return flag.value && flag.agreement >= AGREED && flag.exact > 0;
}
