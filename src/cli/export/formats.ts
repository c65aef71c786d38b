/** The prefixes of both IP versions, and the lines that say what they are. */
export interface ExportedList {
  readonly comments: readonly string[];
  readonly 4: readonly string[];
  readonly 6: readonly string[];
}

/** Elements that a set of ipset may have; a set that exists keeps the number with which it was made. */
const MAX_ELEMENTS = 4_194_304;

/** Name of the table of nftables, and beginning of the names of all sets. */
const NAME = "limpid";

/** Elements in one command of nft: fewer commands load faster, longer lines need more memory. */
const PER_COMMAND = 1000;

/** The formats of an export, each with the function that writes its lines. Every line that begins with # is a comment. */
export const EXPORT_FORMATS = {
  /** One prefix in a line. */
  cidr: (list: ExportedList) => [...list[4], ...list[6]],
  /** A file for `nft -f`, which replaces both sets at once: https://wiki.nftables.org/wiki-nftables/index.php/Sets */
  nft: (list: ExportedList) => [
    `add table inet ${NAME}`,
    ...([4, 6] as const).flatMap((version) => {
      const set = `inet ${NAME} deny${version}`;
      return [
        `add set ${set} { type ipv${version}_addr; flags interval; }`,
        `flush set ${set}`,
        ...inGroups(list[version]).map((group) => `add element ${set} { ${group.join(", ")} }`),
      ];
    }),
  ],
  /** A file for `ipset restore`. The sets in use are swapped with new ones: https://ipset.netfilter.org/ipset.man.html */
  ipset: (list: ExportedList) =>
    ([4, 6] as const).flatMap((version) => {
      const made = `hash:net family ${version === 4 ? "inet" : "inet6"} maxelem ${MAX_ELEMENTS}`;
      const [used, fresh] = [`${NAME}${version}`, `${NAME}${version}_new`];
      return [
        `create ${used} ${made} -exist`,
        `create ${fresh} ${made} -exist`,
        `flush ${fresh}`,
        ...list[version].map((prefix) => `add ${fresh} ${prefix}`),
        `swap ${fresh} ${used}`,
        `destroy ${fresh}`,
      ];
    }),
  /** Lines for a `geo` block: https://nginx.org/en/docs/http/ngx_http_geo_module.html */
  nginx: (list: ExportedList) => [...list[4], ...list[6]].map((prefix) => `${prefix} 1;`),
  /** Patterns for `acl … src -f FILE`: https://docs.haproxy.org/3.0/configuration.html#7.1 */
  haproxy: (list: ExportedList) => [...list[4], ...list[6]],
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

function inGroups(prefixes: readonly string[]): readonly (readonly string[])[] {
  const groups: (readonly string[])[] = [];
  for (let at = 0; at < prefixes.length; at += PER_COMMAND) groups.push(prefixes.slice(at, at + PER_COMMAND));
  return groups;
}

/** Writes a list with its comments first. */
export function writeExport(format: ExportFormat, list: ExportedList): string {
  const lines = [...list.comments.map((line) => `# ${line}`), ...EXPORT_FORMATS[format](list)];
  return `${lines.join("\n")}\n`;
}
