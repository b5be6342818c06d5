import type { TextMatch } from '../types/mock.ts';
import { textOf } from '../values/message-text.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';
import { compileTextTest } from './text-test.ts';

/** One of `says`: what the subject must have said in the trial, in any of its messages. */
export function saidCheck(match: TextMatch): CheckParts {
  const { expected, wanted, holds } = compileTextTest(match, 'says', 'what it said');
  return {
    name: `says ${showText(expected)}`,
    expected,
    wanted,
    holds: (view) => messagesOf(view).some(holds),
    got: (view) => messagesOf(view).join('\n'),
    saw: (view) => showText(messagesOf(view).join('\n')),
  };
}

function messagesOf(view: TrialView): readonly string[] {
  return (view.turns() ?? []).flatMap(({ role, parts }) => {
    const text = role === 'assistant' ? textOf(parts) : '';
    return text === '' ? [] : [text];
  });
}
