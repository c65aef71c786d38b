import type { PartialTexts } from "#locale";
import type { Report } from "#report";
import { describeAttacks } from "./describe_attacks.ts";
import type { Field } from "./describe_network.ts";
import { describeVpn } from "./describe_vpn.ts";
import { drawFields } from "./draw_fields.ts";
import { type Html, html } from "./html.ts";
import { webLinkOf } from "./web_link_of.ts";

/** The operator of a VPN, abuse, exposure and sharing, as far as anybody told. */
export function drawEvidence(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  return html`<section class="card">
${report.vpnOperator !== null && drawVpn(report.vpnOperator, texts)}<h2>${words.abuse}</h2>
${report.abuse.length === 0 ? html`<p class="quiet">${words.noAbuse}</p>` : drawAbuse(report, texts)}
<h2>${words.exposure}</h2>
${drawExposure(report, texts)}
<h2>${words.sharing}</h2>
${drawSharing(report, texts)}
</section>`;
}

function drawVpn(vpn: NonNullable<Report["vpnOperator"]>, texts: PartialTexts): Html {
  const { url } = vpn;
  const link = url === undefined ? undefined : webLinkOf(url);
  return html`<h2>${texts.headings.vpn}</h2>
${drawFields(describeVpn(vpn, texts))}
${url !== undefined && html`<p class="words">${link === undefined ? html`<bdi>${url}</bdi>` : html`<a href="${link}" rel="nofollow noreferrer"><bdi>${url}</bdi></a>`}</p>\n`}`;
}

function drawAbuse(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  return html`<table><caption class="unseen">${words.abuse}</caption>
<thead><tr><th scope="col">${words.source}</th><th scope="col" class="figure">${words.abuseScore}</th><th scope="col" class="figure">${words.reports}</th><th scope="col" class="figure">${words.attacks}</th></tr></thead>
<tbody>${report.abuse.map(
    (abuse) => html`
<tr><th scope="row"><bdi>${abuse.source}</bdi>${drawAttacks(abuse, texts)}</th><td class="figure">${abuse.score ?? "--"}</td><td class="figure">${abuse.reports ?? "--"}</td><td class="figure">${abuse.attacks?.total ?? "--"}</td></tr>`,
  )}</tbody></table>`;
}

function drawAttacks(abuse: Report["abuse"][number], texts: PartialTexts): Html | false {
  const attacks = describeAttacks(abuse, texts);
  return attacks.length > 0 && html`<p class="words">${texts.joinDetails(attacks)}</p>`;
}

function drawExposure({ exposure }: Report, { headings: words }: PartialTexts): Html {
  if (exposure === null) return html`<p class="quiet">${words.noExposure}</p>`;
  if (!exposure.observed) return html`<p class="quiet">${words.notObserved}</p>`;
  return drawFields([
    [words.ports, exposure.ports.join(", ") || words.none],
    [words.vulns, exposure.vulns.join(", ") || words.none],
  ]);
}

function drawSharing({ sharing }: Report, { headings: words }: PartialTexts): Html {
  const devices: readonly Field[] = [
    ...(sharing?.address === undefined ? [] : [[words.devicesAddress, String(sharing.address)] as const]),
    ...(sharing?.subnet === undefined ? [] : [[words.devicesSubnet, String(sharing.subnet)] as const]),
  ];
  return devices.length === 0 ? html`<p class="quiet">${words.noSharing}</p>` : drawFields(devices);
}
