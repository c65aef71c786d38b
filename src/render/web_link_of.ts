/** The text as a link that can only lead to the web, never to a script; undefined when it is none. */
export function webLinkOf(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}
