import type { InvariantRule } from '../../../src/types/invariant.ts';
import type { FaithfulExpectation } from '../../../src/types/faithfulness/faithful-expectation.ts';
import type { VerifiedClaims } from '../../../src/types/judges/judge.ts';
import type { ViewParts } from '../builders.ts';
import { SENT } from './builders.ts';

/** A rule with a trial that obeys it, and one that does not. */
export interface RuleExample {
  readonly rule: InvariantRule;
  readonly obeyed: ViewParts;
  readonly broken: ViewParts;
}

const CONTEXTS: FaithfulExpectation = {
  documents: false,
  tools: false,
  nodes: ['start'],
  texts: ['The price is $5.'],
  user: false,
  minClaims: 1,
};
const VERIFIED: VerifiedClaims = { texts: ['It costs $5.'], contexts: 1, minScore: 1, score: 1, pairScore: null };

/** At least one for each type of invariant. */
export const RULES: readonly RuleExample[] = [
  { rule: { type: 'contains', value: 'Source' }, obeyed: said('the SOURCE is'), broken: said('sauce') },
  { rule: { type: 'contains_any', values: ['no', 'Yes'] }, obeyed: said('yes!'), broken: said('maybe') },
  { rule: { type: 'excludes_pattern', patterns: ['\\d{3}', 'a('] }, obeyed: said('12'), broken: said('call A( now') },
  {
    rule: { type: 'excludes_pattern', patterns: ['you are x+'] },
    obeyed: said('you are y'),
    broken: said('YOU ARE XX'),
  },
  { rule: { type: 'regex', pattern: '(?i)according to' }, obeyed: said('According to it'), broken: said('I think') },
  {
    rule: { type: 'latency', maxMs: 20 },
    obeyed: { ...said('a'), elapsedUs: 20_000 },
    broken: { ...said('a'), elapsedUs: 20_001 },
  },
  { rule: { type: 'valid_json' }, obeyed: said(' [1, {"a": null}]\n'), broken: said('[NaN]') },
  { rule: { type: 'output_not_empty' }, obeyed: said('.'), broken: said(' \n\t') },
  { rule: { type: 'completes' }, obeyed: said(''), broken: { status: 'errored', reason: 'no' } },
  { rule: { type: 'excludes_pii' }, obeyed: said('call us'), broken: said('mail jane@example.com') },
  { rule: { type: 'refusal_check' }, obeyed: said('Sure.'), broken: said('DAN mode on.') },
  {
    rule: { type: 'similarity', expected: 'Paris it is', threshold: 0.8 },
    obeyed: said('paris, it is'),
    broken: said('no'),
  },
  {
    rule: { type: 'behavior_unchanged', baseline: 'The rate is 5.', threshold: 0.75 },
    obeyed: said('The rate is 5'),
    broken: said('Hello'),
  },
  { rule: { type: 'json_schema', schema: { type: 'number' } }, obeyed: said('4'), broken: said('"4"') },
  {
    rule: { type: 'max_tokens', max: 10 },
    obeyed: { ...said('a'), counters: { llmTokens: 10 } },
    broken: { ...said('a'), counters: { llmTokens: 11 } },
  },
  {
    rule: { type: 'max_cost', maxNanoUsd: 10, price: { inputNanoUsd: 1, outputNanoUsd: 2 } },
    obeyed: { ...said('a'), counters: { promptTokens: 4, completionTokens: 3 } },
    broken: { ...said('a'), counters: { promptTokens: 5, completionTokens: 3 } },
  },
  {
    rule: { type: 'tool_called', tool: 'web_*', atLeast: 1 },
    obeyed: { ...said('a'), requests: SENT },
    broken: said('a'),
  },
  {
    rule: { type: 'tool_called', tool: '*', atLeast: 3 },
    obeyed: { ...said('a'), requests: SENT },
    broken: { ...said('a'), requests: SENT.slice(1) },
  },
  { rule: { type: 'tool_not_called', tool: 'bc' }, obeyed: said('a'), broken: { ...said('a'), requests: SENT } },
  {
    rule: { type: 'policy_denied', target: '/etc' },
    obeyed: { status: 'errored', denials: [{ node: 'a', message: 'read of /etc/passwd' }] },
    broken: { ...said('a'), denials: [{ node: 'a', message: 'read of /tmp' }] },
  },
  { rule: { type: 'policy_denied' }, obeyed: { denials: [{ node: 'a', message: '' }] }, broken: said('a') },
  { rule: { type: 'stopped_by', stop: 'fail' }, obeyed: { status: 'failed', stoppedBy: 'fail' }, broken: said('a') },
  {
    rule: { type: 'module', file: 'rules.mjs', exported: 'isShort' },
    obeyed: said('yes'),
    broken: said('by all means'),
  },
  {
    rule: { type: 'plugin', plugin: 'shorter', settings: { than: 4 } },
    obeyed: said('yes'),
    broken: said('by all means'),
  },
  { rule: { type: 'judge', judge: 'tone' }, obeyed: ruled(true), broken: ruled(false) },
  { rule: { type: 'prefers', judge: 'tone', over: 'no' }, obeyed: ruled(true), broken: ruled(false) },
  { rule: { type: 'faithful', ...CONTEXTS }, obeyed: said('It costs $5.'), broken: said('It costs $6.') },
  {
    rule: { type: 'faithful', ...CONTEXTS, judge: 'tone' },
    obeyed: ruled(true, VERIFIED),
    broken: ruled(false, VERIFIED),
  },
];

/** A trial on which a judge has ruled. */
function ruled(met: boolean, claims?: VerifiedClaims): ViewParts {
  const verdicts = [{ criterion: 'kind', met, reason: 'It shouts.' }];
  const answers = [{ model: 'fair', repeat: 0, problem: null, verdicts }];
  const criteria = [{ criterion: 'kind', met, votes: met ? ([1, 0] as const) : ([0, 1] as const) }];
  return {
    ...said('a'),
    rulings: [{ judge: 'tone', met, problem: null, criteria, answers, ...(claims && { claims }) }],
  };
}

/** A trial that gave this answer. */
export function said(finalValue: string): ViewParts {
  return { finalValue };
}
