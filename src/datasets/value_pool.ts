/** Values of a table as text, each kept once. Ids count from 1; 0 stays free for "no value". */
export class ValuePool {
  readonly #ids = new Map<string, number>();

  /** The id of `text`, given out on first sight. */
  intern(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(text, id);
    return id;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** In the order of their ids. */
  texts(): IteratorObject<string> {
    return this.#ids.keys();
  }
}
