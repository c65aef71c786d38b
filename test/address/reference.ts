/** A second implementation of the address parser, to compare with. It uses regular expressions, strings and BigInt. */
const QUAD = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;

export interface ReferenceAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
  readonly text: string;
}

export function referenceParse(input: string): ReferenceAddress | undefined {
  if (input.startsWith("[") && input.endsWith("]")) {
    const inner = input.slice(1, -1);
    return QUAD.test(inner) ? undefined : referenceParseBare(inner);
  }
  return referenceParseBare(input);
}

function referenceParseBare(input: string): ReferenceAddress | undefined {
  if (QUAD.test(input)) return { version: 4, value: quadValue(input), text: input };
  const value = ipv6Value(input);
  if (value === undefined) return undefined;
  if (value >> 32n === 0xffffn) return referencePrint(4, value & 0xffffffffn);
  return referencePrint(6, value);
}

function quadValue(quad: string): bigint {
  return quad.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6Value(input: string): bigint | undefined {
  let text = input;
  const tail = /(^|:)([0-9.]*\.[0-9.]*)$/.exec(text);
  if (tail !== null) {
    const quad = tail[2] ?? "";
    if (!QUAD.test(quad)) return undefined;
    const value = quadValue(quad);
    const groups = `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
    text = text.slice(0, text.length - quad.length) + groups;
  }
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const parts = halves.map((half) => (half === "" ? [] : half.split(":")));
  const count = parts.flat().length;
  if (!parts.flat().every((part) => GROUP.test(part))) return undefined;
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined;
  const zeros = new Array<string>(8 - count).fill("0");
  const all = [...(parts[0] ?? []), ...zeros, ...(parts[1] ?? [])];
  return BigInt(`0x${all.map((part) => part.padStart(4, "0")).join("")}`);
}

export function referencePrint(version: 4 | 6, value: bigint): ReferenceAddress {
  if (version === 4) {
    const octets = [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n));
    return { version, value, text: octets.join(".") };
  }
  const hex = value.toString(16).padStart(32, "0").match(/.{4}/g) ?? [];
  const plain = hex.map((group) => group.replace(/^0{1,3}/, "")).join(":");
  const runs = [...plain.matchAll(/(?<![0-9a-f])0(:0)+(?![0-9a-f])/g)];
  const longest = runs.reduce((best, run) => (run[0].length > best.length ? run[0] : best), "");
  if (longest === "") return { version, value, text: plain };
  const at = runs.find((run) => run[0] === longest)?.index ?? 0;
  const before = plain.slice(0, at).replace(/:$/, "");
  const after = plain.slice(at + longest.length).replace(/^:/, "");
  return { version, value, text: `${before}::${after}` };
}

export function numberOf(words: readonly number[]): bigint {
  return words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
}

export function wordsOf(version: 4 | 6, value: bigint): number[] {
  const shifts = version === 4 ? [0n] : [96n, 64n, 32n, 0n];
  return shifts.map((shift) => Number((value >> shift) & 0xffffffffn));
}
