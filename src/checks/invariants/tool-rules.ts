import { compileGlob } from '../../values/compile-glob.ts';
import { isMet, occurrenceText } from '../occurrence.ts';
import { showText } from '../show-value.ts';
import type { JudgedAnswer, Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';

const NO_CALLS = 'none of its calls were seen; send them through the proxy';

/** `tool_called`: a tool of this name was called so many times at least. */
export const toolCalled: InvariantType<RuleOf<'tool_called'>> = {
  kind: 'invariant',
  type: 'tool_called',
  summary: 'A tool was called so often at least.',
  undecided: NO_CALLS,
  namesTool: true,
  create: ({ tool, atLeast }) => toolRule(tool, { atLeast, atMost: null }),
};

/** `tool_not_called`: no tool of this name was called. */
export const toolNotCalled: InvariantType<RuleOf<'tool_not_called'>> = {
  kind: 'invariant',
  type: 'tool_not_called',
  summary: 'A tool was not called.',
  undecided: NO_CALLS,
  namesTool: true,
  create: ({ tool }) => toolRule(tool, { atLeast: 0, atMost: 0 }),
};

interface Bounds {
  readonly atLeast: number;
  readonly atMost: number | null;
}

/** A call counts once, whichever of its names fit the glob. Calls that policy denied were never made. */
function toolRule(tool: string, bounds: Bounds): Rule {
  const fits = compileGlob(tool);
  const named = (names: readonly string[]): boolean => names.some(fits);
  const count = ({ calls }: JudgedAnswer): number | null => (calls === null ? null : countOf(calls, named));
  const opposite = bounds.atMost === 0 ? { atLeast: 1, atMost: null } : { atLeast: 0, atMost: bounds.atLeast - 1 };
  return {
    needs: 'requests',
    needsAnswer: true,
    onEnding: false,
    expected: { tool, ...bounds },
    wanted: `${occurrenceText(bounds, 'call')} of ${showText(tool)}`,
    wantedNot: `${occurrenceText(opposite, 'call')} of ${showText(tool)}`,
    holds: (answer) => {
      const found = count(answer);
      return found === null ? null : isMet(bounds, found);
    },
    got: ({ calls }) => calls?.map((names) => names[0] ?? '') ?? null,
    saw: (answer) => {
      const { calls } = answer;
      if (calls === null) return 'no sight of its calls';
      if (calls.length === 0) return 'no call of any tool';
      const names = [...new Set(calls.map((call) => call.filter(fits).at(-1) ?? call.at(-1) ?? ''))];
      return `${count(answer)} of ${calls.length} calls: ${showText(names.join(', '))}`;
    },
  };
}

function countOf<T>(list: readonly T[], fits: (one: T) => boolean): number {
  let count = 0;
  for (const one of list) if (fits(one)) count++;
  return count;
}
