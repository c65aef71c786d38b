import { AS_CLASS_IDS, AS_CLASSES, type AsClassId } from "./as_classes.ts";

/** What is known of one autonomous system. `service`: the VPN service that all of it belongs to. */
export interface AsClass {
  readonly class: AsClassId;
  readonly operator: string;
  readonly service?: string;
}

const CLASSES = readClasses();

/** What the system is known for, or undefined for one of the many nothing is known of. */
export function findAsClass(asn: number): AsClass | undefined {
  return CLASSES.get(asn);
}

/** @throws Error when a line of the table cannot be read or names a number twice: at start, never in a survey. */
function readClasses(): ReadonlyMap<number, AsClass> {
  const classes = new Map<number, AsClass>();
  for (const id of AS_CLASS_IDS) {
    for (const line of AS_CLASSES[id].trim().split("\n")) {
      const [, operator, service, numbers] = /^\s*([^:=]+?)(?: = ([^:=]+))?: ([\d ]+)$/.exec(line) ?? [];
      if (operator === undefined || numbers === undefined) throw new Error(`Cannot read "${line.trim()}"`);
      const known: AsClass = { class: id, operator, ...(service === undefined ? {} : { service }) };
      for (const number of numbers.split(" ").map(Number)) {
        if (classes.has(number)) throw new Error(`Cannot read "${line.trim()}": AS${number} is there twice`);
        classes.set(number, known);
      }
    }
  }
  return classes;
}
