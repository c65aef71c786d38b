/** What the site's summary for language models tells of this site: its origin without a slash, and the limits in force. */
export interface LlmsFacts {
  readonly origin: string;
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
}
