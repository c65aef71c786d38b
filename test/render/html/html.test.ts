import { expect, test } from "bun:test";
import fc from "fast-check";
import { Html, html } from "#render";

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
