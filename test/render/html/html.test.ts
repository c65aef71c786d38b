import { expect, test } from "bun:test";
import fc from "fast-check";
import { Html, html } from "#render";
import { keepNamesWhole } from "../../../src/render/html/html.ts";

test("html escapes what can end text or a quoted attribute", () => {
  expect(html`<a title="${`"'<>&`}">${"<b>"}</a>`.toString()).toBe(
    '<a title="&quot;&#x27;&lt;&gt;&amp;">&lt;b&gt;</a>',
  );
});

test("html writes its own markup, numbers and lists, and skips empty values", () => {
  const inner = html`<b>${1}</b>`;
  expect(html`${[inner, ["x", 2]]}${false}${undefined}${null}`.toString()).toBe("<b>1</b>x2");
});

test("html accepts only its own values as markup", () => {
  const forged = { toString: () => "<b>" };
  expect(forged instanceof Html).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = html`${text}`.toString();
      expect(written).not.toMatch(/[<>"']/);
      expect(written).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test("keepNamesWhole keeps dates, offsets and names with hyphens on one line, and nothing else", () => {
  const keep = (markup: string) => keepNamesWhole(new Html(markup)).toString();
  const whole = (name: string) => `<span class="whole">${name}</span>`;
  for (const name of ["2026-08-22", "ip-api.com", "UTC\u22125", "UTC+5:30", "OAI-SearchBot", "ASN-DROP"])
    expect(keep(`<p>（${name}).</p>`)).toBe(`<p>（${whole(name)}).</p>`);
  for (const text of ["data-centre", "non-native", "proxycheck.io", `${"LONG".repeat(6)}-NAME`])
    expect(keep(`<p>${text}</p>`)).toBe(`<p>${text}</p>`);
  for (const markup of [
    '<a href="/2026-08-22" title="ip-api.com">it</a>',
    "<textarea>2026-08-22</textarea>",
    "<option>2026-08-22</option>",
    "<pre><code>ip-api.com</code></pre>",
    "<svg><text>2026-08-22</text></svg>",
  ])
    expect(keep(markup)).toBe(markup);
});
