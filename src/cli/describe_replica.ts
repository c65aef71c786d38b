import type { ReplicaState } from "#store";

/** What `/readyz` says of a copy of the database. */
export function describeReplica({ state, lagMs, frame, error }: ReplicaState) {
  return {
    ok: state === "current",
    detail: error === undefined ? state : `${state}: ${error}`,
    ...(lagMs === undefined ? {} : { lagSeconds: Math.floor(lagMs / 1000) }),
    ...(frame === undefined ? {} : { frame }),
  };
}
