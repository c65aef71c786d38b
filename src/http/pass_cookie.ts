import type { Pass } from "#verification";
import type { HttpDeps } from "./http_deps.ts";

/** The Set-Cookie header of a pass: for our pages and the links to them, never for scripts (RFC 6265bis, 4.1). */
export function passCookie(value: string, pass: Pass, deps: Pick<HttpDeps, "baseUrl" | "now">): string {
  const seconds = Math.max(0, Math.round((pass.expiresAt - deps.now()) / 1000));
  const secure = deps.baseUrl.startsWith("https:") ? "; Secure" : "";
  return `limpid_pass=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}${secure}`;
}
