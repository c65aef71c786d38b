import { createReplicaRelay, type RelayEvent, type RelayOrder, type ReplicaRelay } from "./replica_relay.ts";

/** The thread of the relay. It never blocks, so it can always abort requests. */
declare const self: Worker;

let relay: ReplicaRelay | undefined;

self.onmessage = ({ data }: MessageEvent<RelayOrder>) => {
  if (data.kind === "refuse") return relay?.refuse();
  relay ??= createReplicaRelay({ ...data, onEvent: send });
  send({ kind: "listening", url: relay.url });
};

function send(event: RelayEvent): void {
  postMessage(event);
}
