import { findingText } from '../report/sections/finding-text.ts';
import { formatCount, plural } from '../text/format-number.ts';
import { LABEL_COLUMNS, labelRow, textPage } from '../report/text-page.ts';
import type { Role, TextStyle } from '../report/text/text-style.ts';
import { padEnd } from '../text/display-width.ts';
import type { GateVerdict } from '../types/reports/gate.ts';
import type { AxisResult, EvalBody } from '../types/release/eval-body.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import { AXES, type Axis } from '../types/release/release-rules.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { renderChecks } from './render-checks.ts';
import type { Verification } from './verify-release.ts';
import { candidateText } from './release-texts.ts';

const ROLES: Readonly<Record<GateVerdict, Role>> = { pass: 'good', fail: 'bad', insufficient: 'warn' };

/** A record for people: the axes side by side, never as one number. */
export function renderRelease(result: EvalResult, options: Partial<RenderOptions> = {}): string {
  const { body } = result;
  const { candidate, tier, release, asOf, counts } = body;
  return textPage(options, (style) => [
    ...labelRow('release', `${candidateText(candidate)} for ${tier}, release ${release}, as of ${asOf}`, style),
    ...labelRow('trials', trialsText(body), style),
    ...mergedLines(body, style),
    ...generatedLines(body, style),
    ...AXES.flatMap((axis) => axisLines(axis, body.axes[axis], style)),
    ...governanceLines(body, style),
    '',
    `${style.paint('strong', padEnd('verdict', LABEL_COLUMNS))}${style.paint(ROLES[body.verdict], body.verdict)}`,
    ...labelRow('signed by', result.signature.keyId, style),
    ...(counts.errors > 0 ? labelRow('errors', `${formatCount(counts.errors)} trials say nothing`, style) : []),
  ]);
}

/** What was looked at in a record, and what does not hold. */
export function renderVerification(verification: Verification, options: Partial<RenderOptions> = {}): string {
  const { holds, result } = verification;
  return renderChecks(verification, {
    name: 'record',
    summary: holds ? `holds; its verdict is ${result.body.verdict}, ${aboutText(result)}` : 'does not hold',
    options,
  });
}

/** What the verdict is about: a record that holds may be one of another candidate, or of a day that somebody chose. */
function aboutText({ body: { candidate, tier, asOf }, anchor: { at } }: EvalResult): string {
  const day = at.slice(0, 10);
  const signed = day === asOf ? '' : `, and was signed on ${day}`;
  return `for ${candidateText(candidate)} in tier ${tier}; it counts days from ${asOf}${signed}`;
}

/** Where trials come from that did not run now. */
function mergedLines({ merged = [] }: EvalBody, style: TextStyle): readonly string[] {
  return merged.flatMap(({ bodyHash, scenarios, asOf }) =>
    labelRow('of a record', `${bodyHash.slice(0, 16)}… of ${asOf}: ${plural(scenarios, 'scenario')}`, style),
  );
}

function generatedLines({ generated = [] }: EvalBody, style: TextStyle): readonly string[] {
  return generated.flatMap(({ name, hash }) => labelRow('generated', `${name}: set ${hash}`, style));
}

function trialsText({ counts, scenarioSet }: EvalBody): string {
  const { passed, failed, errors } = counts;
  return `${plural(scenarioSet.count, 'scenario')}, ${plural(passed + failed + errors, 'trial')}: ${formatCount(passed)} passed, ${formatCount(failed)} failed, ${formatCount(errors)} errors`;
}

function axisLines(axis: Axis, { verdict, isAdvisory, reasons, evidence, tells }: AxisResult, style: TextStyle) {
  const note = isAdvisory ? ' (advisory)' : '';
  const shown = style.verbose ? [...evidence, ...tells] : evidence;
  return [
    `${padEnd(axis, LABEL_COLUMNS)}${style.paint(ROLES[verdict], verdict)}${note}`,
    ...reasons.flatMap((reason) => labelRow('', reason.message, style)),
    ...shown.flatMap((text) => labelRow('', text, style)).map((line) => style.paint('dim', line)),
  ];
}

function governanceLines({ governance }: EvalBody, style: TextStyle): readonly string[] {
  return governance.flatMap((finding) => {
    const text = findingText(finding, style.verbose ? finding.scenarios.length : undefined);
    return labelRow('governance', text, style, { role: ROLES[finding.verdict] });
  });
}
