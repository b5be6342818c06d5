import type { PluginCase, PluginReport } from '../../types/reports/report.ts';
import { CELL_MARKS } from './contract-marks.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import type { Fact, Mark } from '../sections/section.ts';

/** Longest texts, in columns. */
const LONGEST = { name: 120, sentence: 600, command: 8000 } as const;

/** A name from a file, in one line. */
export function pluginName(name: string): string {
  return plainText(name, LONGEST.name);
}

/** The state of a case, by its worst trial; a case without a trial is inconclusive. */
export function caseState({ trials }: PluginCase): 'passed' | 'failed' | 'broken' | 'inconclusive' {
  if (trials.failed > 0) return 'failed';
  if (trials.broken > 0) return 'broken';
  return trials.passed > 0 ? 'passed' : 'inconclusive';
}

export function caseMark(one: PluginCase): Mark {
  return CELL_MARKS[caseState(one)];
}

/** How many of its trials passed, in words. */
export function caseShare({ trials }: PluginCase): string {
  const { passed, executed, deduplicated } = trials;
  return `${formatCount(passed)} of ${plural(executed + deduplicated, 'trial')} passed`;
}

export function pluginHeadline({ cases }: PluginReport): readonly string[] {
  const passed = cases.filter((one) => caseState(one) === 'passed').length;
  return [`${formatCount(passed)} of ${plural(cases.length, 'case')} passed`];
}

/** The facts behind the state of a case. */
export function caseFacts(one: PluginCase): readonly Fact[] {
  const { message, replay } = one;
  const facts: Fact[] = [{ label: 'trials', text: caseShare(one), tone: 'plain' }];
  if (message !== null) facts.push({ label: 'judged', text: plainText(message, LONGEST.sentence), tone: 'judged' });
  if (replay !== null) facts.push({ label: 'show', text: plainText(replay, LONGEST.command), tone: 'command' });
  return facts;
}

/** A sentence of the plug-in. */
export function pluginSentence(text: string): string {
  return plainText(text, LONGEST.sentence);
}
