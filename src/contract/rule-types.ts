import type { InvariantRule } from '../types/invariant.ts';

/** What an invariant may look at, by the word that names it in a file. */
export const RULE_TYPES = [
  'contains',
  'contains_any',
  'excludes_pattern',
  'regex',
  'latency',
  'valid_json',
  'output_not_empty',
  'completes',
  'excludes_pii',
  'refusal_check',
  'similarity',
  'behavior_unchanged',
  'json_schema',
  'max_tokens',
  'max_cost',
  'tool_called',
  'tool_not_called',
  'policy_denied',
  'stopped_by',
] as const satisfies readonly InvariantRule['type'][];
