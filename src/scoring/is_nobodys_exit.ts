import type { Evidence } from "#evidence";

/** Whether the address serves the public (a resolver, a root server, a crawler) and is nobody's exit. */
export function isNobodysExit({ infrastructure }: Evidence): boolean {
  return infrastructure !== undefined;
}
