import { decode, encode } from "dns-packet";
import type { DnsReply, DnsResponder } from "#kit";

/** Something that goes wrong with a DNS answer. */
export interface DnsFault {
  readonly name: string;
  /** Made from the good answer to the source. */
  readonly responder: (well: DnsReply) => DnsResponder;
  /** The errors that a run may have; absent = the fault does no harm. */
  readonly errors?: readonly string[];
  /** The record types that the fault applies to; absent = all. */
  readonly types?: readonly ("A" | "TXT" | "PTR")[];
  /** Lasts until a client gives up. */
  readonly isSlow?: true;
  /** Only for query and self-test together. */
  readonly isWhole?: true;
}

const POINTER = 0xc0;
const HEADER_BYTES = 12;
const TYPES = { A: 1, PTR: 12, TXT: 16 } as const;
const MANY_RECORDS = 1_000;
const MANY_STRINGS = 3_000;

/** Every fault a DNS source is tried with. */
export function listDnsFaults(): readonly DnsFault[] {
  const said = (name: string, responder: DnsResponder, ...errors: string[]): DnsFault => ({
    name,
    responder: () => responder,
    errors,
  });
  const only = (type: "A" | "TXT", fault: DnsFault): DnsFault => ({ ...fault, types: [type] });
  const slow = (fault: DnsFault): DnsFault => ({ ...fault, isSlow: true, isWhole: true });
  return [
    { ...said("never answers", "SILENCE", "timeout"), isSlow: true },
    slow(said("answers too late", { records: ["127.0.0.2"], delayMs: 5_000 }, "timeout")),
    slow(said("answers with a wrong id", "GARBAGE", "timeout")),
    slow(said("answers another query", { raw: answerAnother }, "timeout")),
    said("SERVFAIL", "SERVFAIL", "status"),
    said("REFUSED", "REFUSED", "refused"),
    said("FORMERR", "FORMERR", "status"),
    said("NOTIMP", "NOTIMP", "status"),
    only("A", said("answers outside 127.0.0.0/8", ["198.51.100.1"], "unavailable")),
    only(
      "A",
      said("answers outside 127.0.0.0/8 beside a code", ["127.0.0.2", "198.51.100.1"], "unavailable"),
    ),
    only("A", said("127.255.255.254: refuses this resolver", ["127.255.255.254"], "unavailable")),
    only("A", said("127.255.255.255: too many queries", ["127.255.255.255"], "unavailable")),
    only("A", said("a refusal beside a code", ["127.0.0.2", "127.255.255.252"], "unavailable")),
    {
      name: "truncated over UDP, complete over TCP",
      responder: (well) => ({ records: recordsOf(well), tcpOnly: true }),
    },
    said(
      "truncated over UDP, closes the connection over TCP",
      "TRUNCATED",
      "refused",
      "timeout",
      "status",
      "shape",
    ),
    slow(said("truncated over UDP, never answers over TCP", "STALLED", "timeout")),
    said("1 000 records", { raw: answerMany }, "too_large", "shape", "timeout"),
    only(
      "TXT",
      said(
        "3 000 strings in one record, over TCP",
        { records: [Array.from({ length: MANY_STRINGS }, () => "64500 | 203.0.113")], tcpOnly: true },
        "too_large",
        "shape",
      ),
    ),
    said("a name that refers to itself", { raw: answerInCircles }, "shape", "timeout"),
    said("a record that is longer than the message", { raw: answerTooLong }, "shape", "timeout"),
    said("a message of three bytes", { raw: (query) => [query.slice(0, 3)] }, "timeout", "shape"),
    slow(said("an empty datagram", { raw: () => [new Uint8Array()] }, "timeout", "shape")),
    said("random bytes with the right id", { raw: answerNoise }, "timeout", "shape", "status", "refused"),
    only(
      "TXT",
      said(
        "text that is not UTF-8",
        { raw: (query) => [answerWith(query, [[4, 0xff, 0xfe, 0x20, 0x7c]])] },
        "shape",
      ),
    ),
    only("TXT", said("text in another form", ["<script>alert(1)</script>"], "shape")),
    only(
      "TXT",
      said("another network's prefix", ["64500 | 198.51.100.0/24 | US | arin | 2026-01-02"], "shape"),
    ),
  ];
}

function recordsOf(well: DnsReply): readonly (string | readonly string[])[] {
  if (!Array.isArray(well)) throw new Error("Cannot truncate an answer without records");
  return well;
}

/** A good answer to another query. */
function answerAnother(query: Uint8Array): Uint8Array[] {
  const { id = 0, questions: [asked] = [] } = decode(Buffer.from(query));
  if (asked === undefined) return [];
  const name = `other.${asked.name}`;
  const questions = [{ ...asked, name }];
  return [
    encode({
      type: "response",
      id,
      flags: 0x0580,
      questions,
      answers: [{ type: "A", name, ttl: 60, data: "127.0.0.2" }],
    }),
  ];
}

function answerMany(query: Uint8Array): Uint8Array[] {
  const type = typeAsked(query);
  const data = Array.from({ length: MANY_RECORDS }, (_, at) => {
    if (type === TYPES.A) return [127, 0, 1 + (at >> 8), at & 255];
    // A short name or text each: all of it still fits into a datagram.
    return type === TYPES.TXT ? [2, 0x61, 0x62] : [1, 0x61, 0];
  });
  return [answerWith(query, data)];
}

function answerInCircles(query: Uint8Array): Uint8Array[] {
  const end = endOfQuestion(query);
  return [Buffer.from([...headOf(query, 1), ...recordOf(query, [127, 0, 0, 2], { owner: end })])];
}

function answerTooLong(query: Uint8Array): Uint8Array[] {
  return [Buffer.from([...headOf(query, 1), ...recordOf(query, [127, 0, 0, 2], { bytes: 0x4000 })])];
}

function answerNoise(query: Uint8Array): Uint8Array[] {
  const noise = Array.from({ length: 400 }, (_, at) => (at * 197 + 91) & 255);
  return [Buffer.from([...query.slice(0, 2), 0x85, 0x80, ...noise])];
}

/** The question again, and one answer for each row of bytes. */
function answerWith(query: Uint8Array, rows: readonly (readonly number[])[]): Uint8Array {
  return Buffer.from([...headOf(query, rows.length), ...rows.flatMap((data) => recordOf(query, data))]);
}

/** A record of the queried type (RFC 1035 §4.1.3). Its name is a pointer to `owner`; `bytes` is the length that it claims. */
function recordOf(
  query: Uint8Array,
  data: readonly number[],
  { owner = HEADER_BYTES, bytes = data.length } = {},
): readonly number[] {
  const name = [POINTER | (owner >> 8), owner & 255];
  return [...name, 0, typeAsked(query), 0, 1, 0, 0, 0, 60, bytes >> 8, bytes & 255, ...data];
}

/** Id, flags and counts of an answer, and the question. */
function headOf(query: Uint8Array, answers: number): number[] {
  const counts = [0, 1, answers >> 8, answers & 255, 0, 0, 0, 0];
  return [...query.slice(0, 2), 0x85, 0x80, ...counts, ...query.slice(HEADER_BYTES, endOfQuestion(query))];
}

function endOfQuestion(query: Uint8Array): number {
  let at = HEADER_BYTES;
  while ((query[at] ?? 0) !== 0) at += (query[at] ?? 0) + 1;
  return at + 5;
}

function typeAsked(query: Uint8Array): number {
  return query[endOfQuestion(query) - 3] ?? 0;
}
