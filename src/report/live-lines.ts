import type { LiveModelReport, LiveReport } from '../types/live-report.ts';
import type { SuiteReport } from '../types/report.ts';
import { formatCount, plural } from './format-number.ts';
import { formatCost, liveTexts, repeatNote } from './live-texts.ts';
import { plainText } from './plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText, joinParts } from './wrap-text.ts';

/** Which real models were asked, by whom, and what that came to. */
export function liveLines(
  live: LiveReport,
  cassette: SuiteReport['timing']['cassette'],
  style: TextStyle,
): readonly string[] {
  const { headline } = liveTexts(live, cassette);
  return [
    style.paint('strong', `Live models: ${joinParts(headline)}`),
    ...live.models.flatMap((model) => modelLines(model, style)),
    // What else must be known of the numbers is among the notices.
    ...hangText('  ', plainText(repeatNote(cassette), 600), style.columns),
  ];
}

function modelLines(model: LiveModelReport, style: TextStyle): readonly string[] {
  const { scenario, backend, provider, calls, retries, failures, costUsd } = model;
  const facts = [
    `${provider} ${model.model} as ${backend}`,
    plural(calls, 'call'),
    `${formatCount(model.promptTokens)} + ${formatCount(model.completionTokens)} tokens`,
  ];
  if (model.cachedTokens > 0) facts.push(`${formatCount(model.cachedTokens)} cached`);
  if (model.reasoningTokens > 0) facts.push(`${formatCount(model.reasoningTokens)} of reasoning`);
  if (retries > 0) facts.push(plural(retries, 'retry', 'retries'));
  if (failures > 0) facts.push(`${formatCount(failures)} without an answer`);
  if (costUsd !== null) facts.push(formatCost(costUsd));
  return hangText(
    '  ',
    `${plainText(scenario, 80)}: ${joinParts(facts.map((fact) => plainText(fact, 120)))}`,
    style.columns,
  );
}
