import type { ReportContext } from "../report_context.ts";
import { nameOf } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

/** A proven change of a watched address. `at` is an RFC 3339 date-time. */
export interface ShownChange {
  readonly at: string;
  readonly type: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Renders the changes of a watched address, the newest first, for the operator. Renders nothing without any. */
export function renderChanges(changes: readonly ShownChange[], context: ReportContext): Html | false {
  const { common: page } = context;
  if (changes.length === 0) return false;
  return renderCard(
    page.changes,
    html`<table><caption class="unseen">${page.changes}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col">${page.change}</th></tr></thead>
<tbody>${changes.map(
      (change) => html`
<tr><th scope="row"><time datetime="${change.at}">${change.at.slice(0, 10)}</time></th><td>${describeChange(change, context)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function describeChange(
  { type, what, from, to }: ShownChange,
  { texts, common: page }: ReportContext,
): string {
  const kind = nameOf(page.changeTypes, type);
  if (type.endsWith("listed")) return texts.withDetail(kind, what);
  if (type.startsWith("address.flag")) return texts.withDetail(kind, nameOf(texts.flags, what));
  const names = { ...texts.usages, ...texts.bands };
  return texts.withDetail(kind, `${nameOf(names, from)} → ${nameOf(names, to)}`);
}
