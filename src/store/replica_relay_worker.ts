import { createReplicaRelay, type ReplicaRelay } from "./create_replica_relay.ts";
import type { RelayNews, RelayOrder } from "./replica_messages.ts";

/** The thread between a replica and its primary; it never waits, so that it can always end what does. */
declare const self: Worker;

let relay: ReplicaRelay | undefined;

self.onmessage = ({ data }: MessageEvent<RelayOrder>) => {
  if (data.kind === "refuse") return relay?.refuse();
  relay ??= createReplicaRelay({ ...data, tell });
  tell({ kind: "listening", url: relay.url });
};

function tell(news: RelayNews): void {
  postMessage(news);
}
