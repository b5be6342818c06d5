import type { Expected } from '../types/scenarios/expected.ts';
import type { Workflow } from '../types/workflow.ts';
import type { Check } from './check.ts';
import { compileChecks } from './compile-checks.ts';

/** The checks of a scenario without what they judge with: code of the user is not called. `workflow`: what is tried, if it is one. */
export function nameChecks(expected: Expected, workflow?: Workflow): readonly Pick<Check, 'name' | 'key'>[] {
  return compileChecks(expected, {
    nodeIds: workflow?.nodes.map(({ id }) => id) ?? [],
    compileSchema: () => () => [],
  });
}
