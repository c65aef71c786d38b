/** What a process said, and how it ended: above 128 by the signal of that number less 128. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Reads both outputs of a process until it ends, side by side, so that neither fills up while the other is read. */
export async function readToEnd({ stdout, stderr, exited }: Bun.ReadableSubprocess): Promise<Ended> {
  const [out, err, code] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
    exited,
  ]);
  return { code, out, err };
}
