/** A table or the data it is made of cannot be used. The message names the file and what is wrong with it. */
export class DatasetError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatasetError";
  }
}
