import { firstNames } from '../text/first-names.ts';
import type { GateDescription } from '../types/reports/gate.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { PlannedBar, PlannedVerdict, SuitePlan } from '../types/suite-plan.ts';
import { finishedText } from './ascii-text.ts';
import { plural } from '../text/format-number.ts';
import { noticeLines } from './text/notice-lines.ts';
import { plainText } from './plain-text.ts';
import { type TextStyle, textStyle } from './text/text-style.ts';
import { hangText, wrapText } from './text/wrap-text.ts';
import { PLAIN_OPTIONS } from './plain-options.ts';
import { groupBy } from '../values/group-by.ts';

/** Without `verbose`, at most so many scenarios of a bar are named, and the others counted. */
const MOST_NAMES = 12;
const LONGEST_NAME = 80;
const LONGEST_SENTENCE = 600;

/** What bars and gates could tell, for people. Scenarios with the same bar and trials stand together. */
export function renderPlan(plan: SuitePlan, options: Partial<RenderOptions> = {}): string {
  const filled = { ...PLAIN_OPTIONS, ...options };
  const style = textStyle(filled);
  const sections = [
    ...[...groupBy(plan.scenarios, barKey).values()].map((members) => barLines(members, style)),
    ...plan.gates.map((gate) => gateLines(gate, style)),
    ...(plan.run === null ? [] : [runLines(plan.run, style)]),
    ...(plan.warnings.length === 0 ? [] : [noticeLines(plan.warnings, style)]),
    [`${plural(plan.scenarios.length, 'bar')}, ${plural(plan.trials, 'trial')}; nothing was run.`],
  ];
  const text = `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  return finishedText(text, filled.unicode);
}

function barKey({ bar, trials, stops }: PlannedBar): string {
  return JSON.stringify([bar.gate.text, trials, stops?.sentences]);
}

function barLines(members: readonly PlannedBar[], style: TextStyle): readonly string[] {
  const names = members.map(({ name }) => plainText(name, LONGEST_NAME));
  const title = wrapText(firstNames(names, style.verbose ? names.length : MOST_NAMES), style.columns);
  const [first] = members;
  const sentences =
    first === undefined ? [] : sentenceLines([...first.bar.sentences, ...(first.stops?.sentences ?? [])], style);
  return [...title.map((line) => style.paint('strong', line)), ...sentences];
}

function runLines({ sentences }: PlannedVerdict, style: TextStyle): readonly string[] {
  return [style.paint('strong', 'the run as a whole'), ...sentenceLines(sentences, style)];
}

function gateLines({ gate, sentences }: GateDescription, style: TextStyle): readonly string[] {
  const start = `${gate.text}: `;
  const title = wrapText(`gate ${plainText(gate.text, LONGEST_NAME * 3)}`, style.columns);
  const rest = sentences.map((sentence) =>
    sentence.startsWith(start)
      ? sentence.charAt(start.length).toUpperCase() + sentence.slice(start.length + 1)
      : sentence,
  );
  return [...title.map((line) => style.paint('strong', line)), ...sentenceLines(rest, style)];
}

function sentenceLines(sentences: readonly string[], { columns }: TextStyle): readonly string[] {
  return sentences.flatMap((sentence) => hangText('  ', plainText(sentence, LONGEST_SENTENCE), columns));
}
