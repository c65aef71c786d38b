import type { Language, Report } from "#report";
import { exampleReport as writeExample } from "../../src/http/openapi/examples.ts";

/** The example report of the documents: the one that the service shows on its home page and at `/example`. */
export function exampleReport(language: Language): Report {
  return writeExample("https://ip.example.org", language);
}
