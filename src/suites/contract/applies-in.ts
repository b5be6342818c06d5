import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { recordedFailures } from '../../faults/chaos/recorded-responses.ts';
import type { Chaos } from '../../types/chaos.ts';
import type { When } from '../../types/invariant.ts';

/** Whether an invariant is judged in a column: by what the column declares, not by what fires. */
export function appliesIn(when: When, column: Chaos): boolean {
  switch (when) {
    case 'always':
      return true;
    case 'tool_faults_active':
      return column.toolFaults.length + recordedFailures(column).length > 0;
    case 'llm_faults_active':
      return column.llmFaults.length > 0;
    case 'any_chaos_active':
      return hasChaos(column);
    case 'no_chaos':
      return !hasChaos(column);
  }
}
