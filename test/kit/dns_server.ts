import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { type Answer, decode, encode, type Packet } from "dns-packet";
import { createPauses } from "./pauses.ts";

/** The record types that the server answers. */
export type DnsType = "A" | "AAAA" | "TXT" | "PTR";

/** One query as the server received it; the name in lower case. */
export interface DnsCall {
  readonly name: string;
  readonly type: string;
  readonly over: "udp" | "tcp";
}

/**
 * What the server answers. A list contains records: addresses, names, or texts (an inner list is one TXT record of
 * several character-strings). A string is an answer without records: `SILENCE` never answers, `NODATA` says that the name
 * exists without such records, `GARBAGE` answers with another id, `TRUNCATED` requires TCP and then closes the
 * connection, `STALLED` requires TCP and then never answers. `raw` makes whole messages, valid or not.
 */
export type DnsReply =
  | readonly (string | readonly string[])[]
  | "NXDOMAIN"
  | "NODATA"
  | "SERVFAIL"
  | "REFUSED"
  | "FORMERR"
  | "NOTIMP"
  | "SILENCE"
  | "GARBAGE"
  | "TRUNCATED"
  | "STALLED"
  | { readonly raw: (query: Uint8Array) => readonly Uint8Array[] }
  | {
      readonly records: readonly (string | readonly string[])[];
      /** Seconds; default 60. */
      readonly ttl?: number;
      readonly delayMs?: number;
      /** The records belong to this name, and the queried name is its alias. */
      readonly cname?: string;
      /** UDP answers "truncated", TCP has the records. */
      readonly tcpOnly?: true;
    };

/** A fixed reply, or one made for the call; `turn` counts the calls of this responder, from 0. */
export type DnsResponder = DnsReply | ((call: DnsCall, turn: number) => DnsReply | Promise<DnsReply>);

/** A DNS server on loopback, UDP and TCP on one port. A name without a responder does not exist. */
export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

interface Row {
  readonly name: string | RegExp;
  readonly type: DnsType;
  readonly responder: DnsResponder;
  turns: number;
}

/** RFC 1035 §4.1.1 response codes. */
const RCODES = { NODATA: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
const QR_AA_RD_RA = 0x8000 | 0x0400 | 0x0100 | 0x0080;
const TC = 0x0200;

/** What to do with a query: send messages, send nothing, or close the connection if there is one. */
type Action = readonly Uint8Array[] | "say nothing" | "hang up";

interface Listening {
  readonly tcp: Server;
  readonly udp: UdpSocket;
  readonly port: number;
}

/** Starts a DNS server on 127.0.0.1. */
export async function startDnsServer() {
  const calls: DnsCall[] = [];
  const rows: Row[] = [];
  const streams = new Set<Socket>();
  const { pause, clear } = createPauses();
  let isClosed = false;
  let isLost = () => false;
  const serveStream = (stream: Socket) => {
    streams.add(stream);
    stream.on("close", () => streams.delete(stream));
    stream.on("error", () => streams.delete(stream));
    stream.on("data", (chunk: Buffer) => {
      if (chunk.length < 14) return;
      void act(chunk.subarray(2), "tcp").then((action) => {
        if (action === "hang up") stream.end();
        else if (action !== "say nothing") for (const message of action) stream.write(framed(message));
      });
    });
  };
  const { tcp, udp, port } = await listen(serveStream);
  udp.on("message", (message: Buffer, from: RemoteInfo) => {
    if (isLost()) return;
    void act(message, "udp").then((action) => {
      // A delayed reply may be ready only after the server has stopped.
      if (isClosed || typeof action === "string") return;
      for (const bytes of action) udp.send(bytes, from.port, from.address, () => {});
    });
  });
  // The default holds 256 packets; hundreds may arrive before this thread reads the first.
  udp.setRecvBufferSize(4_194_304);

  async function act(message: Buffer, over: "udp" | "tcp"): Promise<Action> {
    const query = read(message);
    const question = query?.questions?.[0];
    if (query === undefined || question === undefined) return "hang up";
    const call: DnsCall = { name: question.name.toLowerCase(), type: question.type, over };
    calls.push(call);
    const said = await choose(call);
    const base = { type: "response" as const, id: query.id ?? 0, questions: query.questions ?? [] };
    const tellWith = (flags: number, answers: Answer[] = []): Action => [
      encode({ ...base, flags: QR_AA_RD_RA | flags, answers }),
    ];
    if (said === "SILENCE") return "hang up";
    if (said === "GARBAGE") return [encode({ ...base, id: (base.id + 1) & 0xffff, flags: QR_AA_RD_RA })];
    if (said === "TRUNCATED" || said === "STALLED") {
      if (over === "udp") return tellWith(TC);
      return said === "STALLED" ? "say nothing" : "hang up";
    }
    if (typeof said === "string") return tellWith(RCODES[said]);
    if ("raw" in said) return said.raw(message);
    const detailed = "records" in said ? said : { records: said };
    if (detailed.delayMs !== undefined) await pause(detailed.delayMs);
    if (detailed.tcpOnly === true && over === "udp") return tellWith(TC);
    return tellWith(0, answersFor(question.name, call.type, detailed));
  }

  async function choose(call: DnsCall): Promise<DnsReply> {
    const row = rows.findLast(
      (candidate) =>
        candidate.type === call.type &&
        (typeof candidate.name === "string" ? candidate.name === call.name : candidate.name.test(call.name)),
    );
    if (row === undefined) {
      return rows.some((other) => other.name === call.name) ? "NODATA" : "NXDOMAIN";
    }
    const turn = row.turns;
    row.turns += 1;
    return typeof row.responder === "function" ? row.responder(call, turn) : row.responder;
  }

  return {
    /** `127.0.0.1:PORT`. */
    address: `127.0.0.1:${port}`,
    /** Every query, in order of arrival. */
    calls,
    /** Answers for a name (without a dot at the end) or a pattern, compared with the lower-case name. The last one wins. */
    on(name: string | RegExp, type: DnsType, responder: DnsResponder): void {
      rows.push({ name: typeof name === "string" ? name.toLowerCase() : name, type, responder, turns: 0 });
    },
    /** Number of queries for a name. */
    count: (name: string, type?: DnsType): number =>
      calls.filter((call) => call.name === name.toLowerCase() && (type === undefined || call.type === type))
        .length,
    /** Loses this share of the queries over UDP from now on; `random` chooses them with numbers from 0 to 1. */
    loseQueries(share: number, random: () => number): void {
      isLost = () => random() < share;
    },
    /** Forgets the calls, keeps the responders. */
    forget(): void {
      calls.length = 0;
    },
    async close(): Promise<void> {
      isClosed = true;
      clear();
      for (const stream of streams) stream.destroy();
      tcp.close();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
    },
  };
}

/** Binds UDP and TCP to one port. If a port is free for TCP but not for UDP, another is tried. */
async function listen(serveStream: (stream: Socket) => void, tries = 20): Promise<Listening> {
  const tcp = createServer(serveStream);
  const port = await new Promise<number>((resolve, reject) => {
    tcp.on("error", reject);
    tcp.listen(0, "127.0.0.1", () => {
      const address = tcp.address();
      if (address === null || typeof address === "string")
        reject(new Error("Cannot listen for DNS over TCP"));
      else resolve(address.port);
    });
  });
  const udp = createSocket("udp4");
  const problem = await new Promise<Error | undefined>((resolve) => {
    udp.once("error", resolve);
    udp.bind(port, "127.0.0.1", () => resolve(undefined));
  });
  if (problem === undefined) {
    // A client that left before its answer arrived appears here as "connection refused".
    udp.on("error", () => {});
    return { tcp, udp, port };
  }
  tcp.close();
  if (tries === 1) throw problem;
  return listen(serveStream, tries - 1);
}

/** Over TCP, two bytes of length come before a message (RFC 1035 §4.2.2). */
function framed(message: Uint8Array): Uint8Array {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length & 0xffff);
  return Buffer.concat([length, message]);
}

function read(message: Buffer): Packet | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

function answersFor(
  name: string,
  type: string,
  detailed: { records: readonly (string | readonly string[])[]; ttl?: number; cname?: string },
): Answer[] {
  const ttl = detailed.ttl ?? 60;
  const owner = detailed.cname ?? name;
  const alias: Answer[] =
    detailed.cname === undefined ? [] : [{ type: "CNAME", name, ttl, data: detailed.cname }];
  return [...alias, ...detailed.records.map((record) => answerOf(owner, type, ttl, record))];
}

function answerOf(name: string, type: string, ttl: number, record: string | readonly string[]): Answer {
  switch (type) {
    case "TXT":
      return { type, name, ttl, data: typeof record === "string" ? splitText(record) : [...record] };
    case "A":
    case "AAAA":
    case "PTR":
      return { type, name, ttl, data: String(record) };
    default:
      throw new Error(`Cannot answer a question of type "${type}"`);
  }
}

/** A character-string holds at most 255 bytes (RFC 1035 §3.3). */
function splitText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) parts.push(bytes.subarray(at, at + 255));
  return parts;
}
