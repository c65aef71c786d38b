/** A page as Bun's own HTML parser sees it. */

export interface SeenElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface SeenPage {
  /** In document order. */
  readonly elements: readonly SeenElement[];
  /** Text of the script element with the report. */
  readonly script: string;
  /** Text of the script element with linked data. */
  readonly linked: string;
  readonly comments: number;
}

/** Reads the elements of a page with their attributes, entities resolved in attribute values. */
export async function readPage(page: string): Promise<SeenPage> {
  const elements: SeenElement[] = [];
  let script = "";
  let linked = "";
  let comments = 0;
  const rewriter = new HTMLRewriter()
    .on("*", {
      element(element) {
        elements.push({
          tag: element.tagName,
          attributes: new Map([...element.attributes].map(([name, value]) => [name, value] as const)),
        });
      },
    })
    .on('script[type="application/json"]', {
      text(chunk) {
        script += chunk.text;
      },
    })
    .on('script[type="application/ld+json"]', {
      text(chunk) {
        linked += chunk.text;
      },
    })
    .onDocument({
      comments() {
        comments++;
      },
    });
  await rewriter.transform(new Response(page)).text();
  return { elements, script, linked, comments };
}

const VOID = new Set(["meta", "link", "br", "img", "input", "wbr"]);

/** Names of elements that are not closed, or closed in the wrong order. */
export function findUnbalanced(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/g)) {
    if (name === undefined || VOID.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

/** Replaces the entities that pages use by their characters. */
export function decodeEntities(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The visible text of a page, without data elements, with single spaces. */
export function textOfPage(page: string): string {
  const text = page
    .replaceAll(/<(script|style|title|desc)\b[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replaceAll("<wbr>", "")
    .replaceAll(/<span class="whole">([^<]*)<\/span>/g, "$1")
    .replaceAll(/<[^>]*>/g, " ");
  return decodeEntities(text).replaceAll(/\s+/g, " ");
}
