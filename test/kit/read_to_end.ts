/** The output of a process, and its exit code: above 128, the signal number plus 128. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Reads both outputs of a process until it ends, at the same time, so that neither pipe fills up. */
export async function readToEnd({ stdout, stderr, exited }: Bun.ReadableSubprocess): Promise<Ended> {
  const [out, err, code] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
    exited,
  ]);
  return { code, out, err };
}
