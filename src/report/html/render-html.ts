import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { plural } from '../../text/format-number.ts';
import { escapeHtml } from '../markdown-text.ts';
import { GATE_TITLES } from '../words/gate-texts.ts';
import { htmlData } from './html-data.ts';
import { htmlReason } from './html-scenario.ts';
import { visibleJson } from '../../text/visible-text.ts';

export interface RenderHtmlOptions extends Pick<RenderOptions, 'trends' | 'traces'> {
  /** False leaves out clocks and workers: then equal runs give equal bytes. */
  readonly timing?: boolean;
}

/** Stands in the template where the report's data goes. */
export const DATA_MARK = '"passk-data-goes-here"';

/** Stands in the template where readers without scripts look. */
const NOSCRIPT = '<noscript>';
const MOST_REASONS = 20;

/** Bytes of the page with its data, whatever was run. */
const MOST_BYTES = 2_000_000;

/** The report as one page that needs no network: the built template with the report in it as inert JSON. */
export function renderHtml(
  report: SuiteReport,
  template: string,
  { timing = true, ...extras }: RenderHtmlOptions = {},
): string {
  const [before, after] = aroundData(template.replace(NOSCRIPT, (tag) => `${tag}${withoutScript(report)}`));
  const maxBytes = MOST_BYTES - new TextEncoder().encode(before + after).length;
  return `${before}${inertJson(htmlData(report, { ...extras, timing, maxBytes, write: inertJson }))}${after}`;
}

/** What readers see where no script may run, as in the artifacts of some CI servers: the verdict with its reasons. */
function withoutScript({ gate, summary, scenarios }: SuiteReport): string {
  const reasons = gate.reasons
    .slice(0, MOST_REASONS)
    .map((reason) => `<li>${escapeHtml(htmlReason(reason, scenarios))}</li>`);
  const more = gate.reasons.length - reasons.length;
  if (more > 0) reasons.push(`<li>${plural(more, 'more reason')}</li>`);
  const counts = `${summary.passed} of ${plural(summary.scenarios, 'scenario')} passed.`;
  return [
    `<h1>${GATE_TITLES[gate.verdict]}</h1>`,
    reasons.length === 0 ? '' : `<ul>${reasons.join('')}</ul>`,
    summary.scenarios === 0 ? '' : `<p>${counts}</p>`,
  ].join('');
}

/** A page of another kind: the built template with its data in it. */
export function renderPage(data: object, template: string): string {
  const [before, after] = aroundData(template);
  return `${before}${inertJson(data)}${after}`;
}

function aroundData(template: string): readonly [string, string] {
  const mark = template.indexOf(DATA_MARK);
  if (mark === -1) throw new TypeError('The page has no place for the data of the report.');
  return [template.slice(0, mark), template.slice(mark + DATA_MARK.length)];
}

/** JSON that no HTML parser takes for a tag, a comment or an entity. */
export function inertJson(value: unknown): string {
  return visibleJson(JSON.stringify(value)).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
