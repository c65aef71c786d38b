/** Why a download is refused beyond its problem: `implausible` = it covers more, or less, than can be believed. */
export type RefusalReason = "implausible";

/** A download is not the list it should be. The message is short and safe to show. */
export class FeedError extends Error {
  readonly reason: RefusalReason | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly reason?: RefusalReason | undefined }) {
    super(message, options);
    this.name = "FeedError";
    this.reason = options?.reason;
  }
}
