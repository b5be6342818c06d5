import type { Check, TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';

/**
 * The check of a control: a subject that is known to be wrong, on which the checks of its task are tried. Holds where exactly these checks fail: an oracle that lets a wrong subject pass, or that is broken by something else, is
 * found out. `names` are those of checks among `checks`.
 */
export function controlCheck(names: readonly string[], checks: readonly Check[]): CheckParts {
  const failing = (view: TrialView): readonly string[] =>
    checks.flatMap((check) => (check.holds(view) ? [] : [check.name]));
  const wanted = names.toSorted().join(', ');
  return {
    name: 'fails',
    expected: names,
    wanted: `${wanted} to fail, and nothing else`,
    holds: (view) => failing(view).toSorted().join(', ') === wanted,
    got: (view) => failing(view),
    saw: (view) => {
      const failed = failing(view).join(', ');
      return failed === '' ? 'no check that fails' : `${failed} failing`;
    },
  };
}
