import { type Corrections, indexCorrections, NO_CORRECTIONS, parseCorrections } from "#evidence";
import { openOperatorFile } from "./operator_file.ts";

/**
 * Opens the operator's corrections, as {@link openOperatorFile} does. A correction ends with its last day.
 * @throws {ExitError} with the number of the row when the file is wrong at the start.
 */
export function openCorrections(
  path: string | undefined,
  options: { readonly now: () => number; readonly onProblem: (message: string) => void },
): Corrections {
  if (path === undefined) return NO_CORRECTIONS;
  const file = openOperatorFile({ path, name: "corrections", parse: parseCorrections }, options);
  let revision = 0;
  let rows: ReturnType<typeof parseCorrections> | undefined;
  let today = "";
  let find: Corrections["find"] = () => [];
  let version = "";

  function look(): void {
    const current = file.read();
    const day = new Date(options.now()).toISOString().slice(0, 10);
    if (current === rows && day === today) return;
    if (current !== rows) revision += 1;
    [rows, today] = [current, day];
    const valid = current.filter(({ until }) => until >= day);
    find = indexCorrections(valid);
    version = valid.length === 0 ? "" : `${revision} ${day}`;
  }

  look();
  return {
    version() {
      look();
      return version;
    },
    find: (address, asn) => find(address, asn),
    blocks: () => (rows ?? []).flatMap(({ block }) => (typeof block === "number" ? [] : [block])),
  };
}
