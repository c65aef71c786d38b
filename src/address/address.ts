/**
 * One IP address in canonical form.
 * `text` is dotted IPv4 or RFC 5952 IPv6; `words` holds the address as unsigned 32-bit integers,
 * most significant first: one for IPv4, four for IPv6. `::ffff:a.b.c.d` never occurs: it is IPv4.
 */
export interface Address {
  readonly text: string;
  readonly version: 4 | 6;
  readonly words: readonly number[];
}
