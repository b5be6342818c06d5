import type { Json } from '../json.ts';

/** One check's answer about one trial. Severity and weight belong to whoever folds findings. */
export interface Finding {
  /** The check's stable name: `status`, `path`, `max_llm_calls`, `value pick.value`, … */
  readonly check: string;
  /** What the check says of the trial. */
  readonly verdict: 'pass' | 'fail' | 'not_applicable' | 'error';
  /** What was to be. */
  readonly expected: Json;
  /** What was. */
  readonly got: Json;
  /** The node or step it is about; of an agent's answer, the prompt. */
  readonly at?: string;
  /** One line for people: `last_node: expected done_alpha, got route`. */
  readonly message: string;
}
