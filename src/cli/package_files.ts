/**
 * Files under `/static` that come from packages as they are, by the name they are served under: their paths in the
 * folder where packages are installed.
 */
export const PACKAGE_FILES: Readonly<Record<string, string>> = {
  // The build without style sheets of its own: what it would put into the page, the page's policy forbids.
  "altcha.js": "altcha/dist/external/altcha.min.js",
  "altcha_worker.js": "altcha/dist/workers/pbkdf2.js",
};
