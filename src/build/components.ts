/** One package in `bun.lock`: `name@version`, registry, dependencies, and the checksum of its archive. */
type LockedPackage = readonly [string, string, LockedNeeds, string];

interface LockedNeeds {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The part of a lock file (text format, version 2) that is read here. */
export interface Lock {
  readonly workspaces: { readonly "": LockedNeeds };
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** A software bill of materials in CycloneDX 1.6 JSON. */
export type ComponentDocument = Readonly<Record<string, unknown>>;

/**
 * Writes the bill of materials of a binary (https://cyclonedx.org/docs/1.6/json/). It has no timestamp and no random
 * serial number, so the same contents give the same document.
 * @throws {Error} when a package is not in the lock file, or is a development dependency only.
 */
export function listComponents(contents: {
  readonly program: { readonly name: string; readonly version: string; readonly license: string };
  /** SHA-256 of the finished file, in hexadecimal. */
  readonly sha256: string;
  readonly runtimeVersion: string;
  readonly target: string;
  /** Paths of the contained packages relative to `node_modules`: `a`, or `a/node_modules/b`. */
  readonly packages: readonly string[];
  readonly lock: Lock;
  /** The licence in the package's own manifest. */
  readonly licenceOf: (path: string) => string | undefined;
}): ComponentDocument {
  const { program, lock } = contents;
  const keys = contents.packages.map((path) => path.replaceAll("/node_modules/", "/")).sort();
  const inside = new Set(keys);
  const allowed = findProduction(lock);
  const parts = keys.map((key) => {
    const [spec = "", , , integrity = ""] = lock.packages[key] ?? [];
    if (spec === "" || !allowed.has(key))
      throw new Error(`Cannot list "${key}": no dependency of the program`);
    const at = spec.lastIndexOf("@");
    const name = spec.slice(0, at);
    const version = spec.slice(at + 1);
    const licence = contents.licenceOf(key);
    return {
      type: "library",
      "bom-ref": refOf(spec),
      name,
      version,
      purl: refOf(spec),
      ...(integrity.startsWith("sha512-")
        ? { hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") }] }
        : {}),
      ...(licence === undefined ? {} : { licenses: [describeLicence(licence)] }),
    };
  });
  const root = `pkg:generic/${program.name}@${program.version}`;
  const runtime = `pkg:generic/bun@${contents.runtimeVersion}`;
  const refs = (names: readonly string[]) => [
    ...new Set(names.filter((key) => inside.has(key)).map((key) => refOf(lock.packages[key]?.[0] ?? ""))),
  ];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name: program.name,
        version: program.version,
        purl: root,
        hashes: [{ alg: "SHA-256", content: contents.sha256 }],
        licenses: [describeLicence(program.license)],
        properties: [{ name: "target", value: contents.target }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": runtime,
        name: "bun",
        version: contents.runtimeVersion,
        purl: runtime,
        licenses: [describeLicence("MIT")],
      },
      ...parts,
    ],
    dependencies: [
      { ref: root, dependsOn: [runtime, ...refs(needsOf(lock, "", lock.workspaces[""]))] },
      { ref: runtime, dependsOn: [] },
      ...keys.map((key) => ({
        ref: refOf(lock.packages[key]?.[0] ?? ""),
        dependsOn: refs(needsOf(lock, key, lock.packages[key]?.[2] ?? {})),
      })),
    ],
  };
}

/** Keys of the production dependencies and of their dependencies. */
function findProduction(lock: Lock): ReadonlySet<string> {
  const { dependencies = {} } = lock.workspaces[""];
  const found = new Set<string>();
  const waiting = needsOf(lock, "", { dependencies });
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    waiting.push(...needsOf(lock, key, lock.packages[key]?.[2] ?? {}));
  }
  return found;
}

/** Keys of the dependencies of the package `key`. The nearest package of a name wins, as in module resolution. */
function needsOf(lock: Lock, key: string, needs: LockedNeeds): string[] {
  const names = Object.keys({
    ...needs.dependencies,
    ...needs.optionalDependencies,
    ...needs.peerDependencies,
  });
  const path = key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
  return names.flatMap((name) => {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const candidate = [...path.slice(0, depth), name].join("/");
      if (lock.packages[candidate] !== undefined) return [candidate];
    }
    return [];
  });
}

/** https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function refOf(spec: string): string {
  return `pkg:npm/${spec.replace(/^@/, "%40")}`;
}

/** Text without spaces is an SPDX identifier; other text is an SPDX expression or the publisher's own name. */
function describeLicence(text: string) {
  if (/^[A-Za-z0-9.+-]+$/.test(text)) return { license: { id: text } };
  return /^\(?[A-Za-z0-9.+-]+(?: (?:OR|AND|WITH) [A-Za-z0-9.+-]+)+\)?$/.test(text)
    ? { expression: text }
    : { license: { name: text } };
}
