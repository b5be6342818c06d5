import { compileTextMatch } from '../matching/text-match.ts';
import type { DenialExpectation } from '../types/expected-request.ts';
import type { Denial, TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { isMet, occurrenceText, proportion } from './occurrence.ts';
import { showName, showText } from './show-value.ts';

/** One of `denials`: how many of the requests that policy refused were refused in these words. */
export function denialCheck({ node, contains, matches, count }: DenialExpectation): CheckParts {
  const name = node === undefined ? 'denials' : `denials ${showName(node)}`;
  const clauses = { ...(contains === undefined ? {} : { contains }), ...(matches === undefined ? {} : { matches }) };
  const fits = compileTextMatch(clauses, name);
  const denialsOf = (view: TrialView): readonly Denial[] =>
    view.denials().filter((denial) => node === undefined || denial.node === node);
  const fitting = (view: TrialView): readonly Denial[] => denialsOf(view).filter(({ message }) => fits(message));
  return {
    name,
    needs: 'requests',
    ...(node === undefined ? {} : { at: node }),
    expected: { count: { ...count }, ...clauses },
    wanted: occurrenceText(count, 'fitting denial'),
    holds: (view) => isMet(count, fitting(view).length),
    got: (view) => denialsOf(view).map(({ message }) => message),
    saw: (view) => {
      const denials = denialsOf(view);
      const found = fitting(view);
      const last = found.at(-1) ?? denials.at(-1);
      if (last === undefined) return 'no denial';
      return `${proportion(found.length, denials.length)} ${showText(last.message)}`;
    },
  };
}
