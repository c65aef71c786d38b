/** Starts a timer that does not keep the process alive; the returned function cancels it. */
export function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Starts a repeating timer that does not keep the process alive; the returned function ends it. */
export function repeat(ms: number, then: () => void): () => void {
  const timer = setInterval(then, ms);
  timer.unref();
  return () => clearInterval(timer);
}
