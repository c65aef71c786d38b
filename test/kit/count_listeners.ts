/** A signal that counts its listeners. */
export function countListeners(): { readonly signal: AbortSignal; readonly open: () => number } {
  const { signal } = new AbortController();
  let open = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<AbortSignal["addEventListener"]>) => {
    open += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<AbortSignal["removeEventListener"]>) => {
    open -= 1;
    remove(...given);
  };
  return { signal, open: () => open };
}
