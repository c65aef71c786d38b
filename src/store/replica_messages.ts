/** What the thread that owns a replica's file is told, one message at a time. */
export type ReplicaOrder =
  | {
      readonly kind: "open";
      readonly path: string;
      /** Where the primary is asked, and what that place knows its caller by. */
      readonly url: string;
      readonly token: string;
      /** Reads the whole file through before anything is added to it. */
      readonly check: boolean;
    }
  | { readonly kind: "sync" }
  | { readonly kind: "close" };

/** What it answers, once a message. `frame` is the number of the last page written; absent = none. */
export type ReplicaAnswer =
  | { readonly kind: "done"; readonly frame?: number; readonly added?: number }
  | { readonly kind: "damaged" | "failed"; readonly problem: string };

/** What the thread between replica and primary is told. */
export type RelayOrder =
  | {
      readonly kind: "start";
      readonly primary: string;
      readonly token?: string;
      /** Who does not send this is no caller. */
      readonly key: string;
      readonly quietMs: number;
    }
  | { readonly kind: "refuse" };

/** What it tells: where it listens, that bytes came, and how a question ended that was not answered whole. */
export type RelayNews =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "heard" }
  | { readonly kind: "unanswered"; readonly problem: string };
