import { loadavg } from "node:os";

/** How much of a case is run: `brief` with every change, `quick` to see figures, `full` the whole proof. */
export type Extent = "brief" | "quick" | "full";

/** The arguments of a proof: the names of cases, `--quick`, and figures such as `--minutes=30`. */
export interface ProofArguments {
  readonly extent: "quick" | "full";
  readonly named: readonly string[];
  /** The figure of an option. */
  readNumber(name: string, otherwise: number): number;
}

export function readArguments(args: readonly string[] = process.argv.slice(2)): ProofArguments {
  return {
    extent: args.includes("--quick") ? "quick" : "full",
    named: args.filter((arg) => !arg.startsWith("--")),
    readNumber(name, otherwise) {
      const text = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
      return text === undefined ? otherwise : Number(text);
    },
  };
}

const MOST_SHOWN = 20;

/** Runs the named cases, or all of them, one after another. Prints what each saw; ends with 1 when one fails. */
export async function runCases<Result extends { readonly failures: readonly string[] }>(
  named: readonly string[],
  cases: Readonly<Record<string, () => Promise<Result | undefined>>>,
  tell: (result: Result) => readonly string[],
): Promise<never> {
  let failed = 0;
  for (const [name, prove] of Object.entries(cases)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const startedAt = performance.now();
    console.log(`\n${name} (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    const result = await prove();
    const failures = result?.failures ?? [];
    failed += failures.length;
    const seen = result === undefined ? ["skipped: a program that it needs is missing"] : tell(result);
    for (const line of seen) console.log(`  ${line}`);
    for (const failure of failures.slice(0, MOST_SHOWN)) console.log(`  FAIL ${failure}`);
    if (failures.length > MOST_SHOWN) console.log(`  … and ${failures.length - MOST_SHOWN} more`);
    console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${failures.length} failures`);
  }
  process.exit(failed === 0 ? 0 : 1);
}
