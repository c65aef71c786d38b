/** A download is not the list it should be. The message is short and safe to show. */
export class FeedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FeedError";
  }
}
