import { KIND_BITS } from '../../types/chaos.ts';
import type { When } from '../../types/invariant.ts';

const ALL = KIND_BITS.tool | KIND_BITS.llm | KIND_BITS.context;

/** Kinds of faults of which one must have struck for a rule to be judged, as a sum of `KIND_BITS`; 0: none has to. */
export function kindsSpokenOf(when: When): number {
  switch (when) {
    case 'always':
    case 'no_chaos':
      return 0;
    case 'tool_faults_active':
      return KIND_BITS.tool;
    case 'llm_faults_active':
      return KIND_BITS.llm;
    case 'any_chaos_active':
      return ALL;
  }
}
