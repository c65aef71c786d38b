import { DatasetError } from "#datasets";
import { UpstreamError } from "#upstream";

/** What went wrong, as a source's run tells it: what is no {@link UpstreamError} was thrown by a reader. */
export function classifyError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (error instanceof DatasetError) return new UpstreamError("unavailable", nameFilesOnly(error.message));
  return new UpstreamError("shape", "unexpected answer");
}

/** Where the tables lie is nobody's business; which one is broken is. */
function nameFilesOnly(message: string): string {
  return message.replaceAll(/"[^"]*[\\/]([^"\\/]*)"/g, '"$1"').replaceAll(/\S*[\\/](\S*)/g, "$1");
}
