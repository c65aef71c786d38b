/** A DNS name has at most 255 octets; what is longer is none. */
const MAX_LENGTH = 255;

const CONSUMER_NAME =
  /(?:^|[.-])(?:dyn|dynamic|dhcp|[avx]?dsl|cable|pool|pppoe?|dialup|broadband|ftt[hx]|cpe|customer|cust)\d*(?:[.-]|$)/;

/** Whether a reverse name looks like an access line's. A weak hint, never proof: operators name hosts as they like. */
export function isConsumerName(name: string): boolean {
  return CONSUMER_NAME.test(name.slice(0, MAX_LENGTH).toLowerCase());
}
