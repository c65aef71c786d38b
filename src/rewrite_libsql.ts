/** What is taken out of libSQL's `index.js` (version 0.5), and what stands there instead, around the new body. */
const REPLACEMENTS: readonly (readonly [RegExp, readonly [string, string] | undefined])[] = [
  [/^const \{ load, currentTarget \} = require\("@neon-rs\/load"\);$/m, undefined],
  [/^const \{ familySync, GLIBC, MUSL \} = require\("detect-libc"\);$/m, undefined],
  [
    /^function requireNative\(\) \{\n(?:(?: .*)?\n)*? {2}return require\(`@libsql\/\$\{target\}`\);\n\}$/m,
    ["function requireNative() {", "\n}"],
  ],
];

/**
 * Rewrites libSQL's `index.js` for a bundler: it chooses its native part by a name made at run time, which none can
 * follow (https://github.com/oven-sh/bun/issues/18909), and asks the system for its C library on the way. `body` is
 * what its `requireNative` does instead.
 * @throws {Error} when the file is not as known: a binary that lacks its database must not be built.
 */
export function rewriteLibsql(source: string, body: string): string {
  return REPLACEMENTS.reduce((text, [pattern, around]) => {
    if (!pattern.test(text)) throw new Error(`Cannot embed libSQL: its index.js has no ${pattern.source}`);
    return text.replace(pattern, () => (around === undefined ? "" : `${around[0]}${body}${around[1]}`));
  }, source);
}
