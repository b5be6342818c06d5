import type { Chaos } from '../types/chaos.ts';
import type { When } from '../types/invariant.ts';

/** Whether an invariant is judged in a column: by what the column declares, whatever fires in the end. */
export function appliesWhen(when: When, { toolFaults, llmFaults, contextAttacks }: Chaos): boolean {
  switch (when) {
    case 'always':
      return true;
    case 'tool_faults_active':
      return toolFaults.length > 0;
    case 'llm_faults_active':
      return llmFaults.length > 0;
    case 'any_chaos_active':
      return toolFaults.length + llmFaults.length + contextAttacks.length > 0;
    case 'no_chaos':
      return toolFaults.length + llmFaults.length + contextAttacks.length === 0;
  }
}
