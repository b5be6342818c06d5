import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeOfRule } from '../../../src/types/judges/named-judges.ts';
import { RULING } from '../../../src/checks/ruling.ts';
import type { AgentAnswer } from '../../../src/types/agent.ts';
import { KIND_BITS } from '../../../src/types/chaos.ts';
import type { InvariantRule, When } from '../../../src/types/invariant.ts';
import { aChaos } from '../../faults/chaos/a-chaos.ts';
import { aView, checksOf, type ViewParts } from '../builders.ts';
import { anAgentRun, anInvariant, messageFor, onAgent, onOutcome, SENT } from './builders.ts';
import { RULES, said } from './rule-examples.ts';

const OBEYED = [true, false];
const BROKEN = [false, true];
/** There is no answer: that obeys no rule, negated or not. */
const NEITHER = [false, false];
const UNDECIDED = [null, null];

/** 3 USD for a million tokens of prompts, 15 of answers. */
const PRICE = { inputNanoUsd: 3000, outputNanoUsd: 15_000 };

test.each(RULES)('$rule holds and is broken as written, and turned around by negate', ({ rule, obeyed, broken }) => {
  expect([onOutcome(rule, obeyed), onOutcome(rule, broken)]).toEqual([OBEYED, BROKEN]);
});

test.each(RULES)('$rule says what it wanted and what it got', ({ rule, broken }) => {
  expect(messageFor(rule, broken)).toMatchSnapshot();
});

const ON_ANSWERS = RULES.map(({ rule }) => rule).filter(
  (rule) => judgeOfRule(rule) === null && !['completes', 'policy_denied', 'stopped_by'].includes(rule.type),
);

test.each(ON_ANSWERS)('a run that did not complete breaks $rule, negated or not', (rule) => {
  const view: ViewParts = { status: 'timed_out', finalValue: 'source yes according to 4', requests: SENT };
  expect(onOutcome(rule, view)).toEqual(NEITHER);
  expect(messageFor(rule, view)).toMatch(/got no answer: the run ended as timed_out$/);
});

test.each(ON_ANSWERS)('an agent that failed breaks $rule, negated or not', (rule) => {
  expect(onAgent(rule, { error: 'HTTP 500', text: 'source yes according to 4' })).toEqual(NEITHER);
});

test.each<InvariantRule>([
  { type: 'max_tokens', max: 10 },
  { type: 'max_cost', maxNanoUsd: 10 },
  { type: 'max_cost', maxNanoUsd: 10, price: { inputNanoUsd: 0, outputNanoUsd: 0 } },
  { type: 'tool_called', tool: '*', atLeast: 1 },
  { type: 'tool_not_called', tool: '*' },
  { type: 'policy_denied' },
  { type: 'stopped_by', stop: 'leaf' },
  { type: 'behavior_unchanged', baseline: null, threshold: 0.5 },
])('what cannot be seen of an agent leaves %j undecided, negated or not', (rule) => {
  expect(onAgent(rule, {})).toEqual(UNDECIDED);
  // One answer of which it can be told is not enough, unless it disobeys.
  const seen = { tokens: 99, promptTokens: 1, completionTokens: 1, calls: [aToolCall('a')], baseline: 'A thing.' };
  expect(onAgent(rule, seen, {}).includes(true)).toBe(false);
});

describe('in a world where something goes wrong', () => {
  const rule: InvariantRule = { type: 'contains', value: 'yes' };
  const { tool, llm, context } = KIND_BITS;

  function rulingOn(when: When, ...answers: readonly Partial<AgentAnswer>[]): number | undefined {
    const list = [anInvariant(rule, { when })];
    const [check] = checksOf({ invariants: { list } }, { answersInTurns: true });
    return check?.ruling?.(aView(anAgentRun(...answers)));
  }

  test.each<[When, number, boolean]>([
    ['always', 0, true],
    ['no_chaos', 0, true],
    ['tool_faults_active', 0, false],
    ['tool_faults_active', llm | context, false],
    ['tool_faults_active', tool, true],
    ['llm_faults_active', tool, false],
    ['llm_faults_active', llm, true],
    ['any_chaos_active', 0, false],
    ['any_chaos_active', context, true],
  ])('a rule with %s is judged where kinds %i struck: %s', (when, struck, isJudged) => {
    expect(rulingOn(when, { struck, text: 'no' })).toBe(
      isJudged ? RULING.judged | RULING.disobeyed | (struck === 0 ? 0 : RULING.struck | RULING.disobeyedStruck) : 0,
    );
  });

  test('of several answers only those that were struck convict or acquit a rule about faults', () => {
    const when = 'tool_faults_active';
    expect(rulingOn(when, { struck: tool, text: 'yes' }, { text: 'no' })).toBe(RULING.judged | RULING.struck);
    expect(rulingOn('always', { struck: tool, text: 'yes' }, { text: 'no' })).toBe(
      RULING.judged | RULING.disobeyed | RULING.struck,
    );
  });

  test('what stands in for an agent that was not asked is not judged as its own', () => {
    const unasked = { asked: false, struck: tool, text: '', error: 'HTTP 503' };
    expect(rulingOn('always', unasked)).toBe(RULING.unasked);
    expect(rulingOn('tool_faults_active', unasked, unasked)).toBe(RULING.unasked);
    expect(rulingOn('always', unasked, { text: 'yes' })).toBe(RULING.judged);
    expect(rulingOn('tool_faults_active', unasked, { text: 'no' })).toBe(0);
  });

  test('a workflow is judged by what struck in its trial', () => {
    const list = [anInvariant(rule, { when: 'tool_faults_active' })];
    const [check] = checksOf({ invariants: { list } }, { chaos: aChaos({}) });
    const rulings = [0, llm, tool].map((struck) => check?.ruling?.(aView({ ...said('no'), struck })));
    expect(rulings).toEqual([0, 0, RULING.judged | RULING.disobeyed | RULING.struck | RULING.disobeyedStruck]);
    expect(check?.holds(aView({ ...said('no'), struck: llm }))).toBe(true);
  });
});

test('an agent is judged by what it reports', () => {
  const used = { tokens: 7, promptTokens: 3, completionTokens: 4 };
  const answer = { ...used, calls: [aToolCall('web_search')], baseline: 'A thing.', latencyMs: 60 };
  expect([
    onAgent({ type: 'max_tokens', max: 7 }, answer),
    onAgent({ type: 'max_cost', maxNanoUsd: 69_000, price: PRICE }, answer),
    onAgent({ type: 'max_cost', maxNanoUsd: 68_999, price: PRICE }, answer),
    onAgent({ type: 'tool_called', tool: 'web_*', atLeast: 1 }, answer),
    onAgent({ type: 'tool_not_called', tool: 'web_?earch' }, answer),
    onAgent({ type: 'behavior_unchanged', baseline: null, threshold: 1 }, answer),
    onAgent({ type: 'latency', maxMs: 60 }, answer),
    onAgent({ type: 'completes' }, answer),
  ]).toEqual([OBEYED, OBEYED, BROKEN, OBEYED, BROKEN, OBEYED, OBEYED, OBEYED]);
});

test('denials and endings of a run without an answer are judged all the same', () => {
  const denials = [{ node: 'a', message: 'read of /etc/passwd' }];
  const view: ViewParts = { status: 'failed', stoppedBy: 'fail', denials };
  expect([
    onOutcome({ type: 'policy_denied' }, view),
    onOutcome({ type: 'stopped_by', stop: 'fail' }, view),
    onOutcome({ type: 'completes' }, view),
  ]).toEqual([OBEYED, OBEYED, BROKEN]);
});

test.each([
  ['fetch_prices', 1],
  ['api.prices.example', 1],
  ['api.prices.example:8443', 1],
  ['/usr/bin/bc', 1],
  ['bc', 1],
  ['web_search', 1],
  ['look_up', 1],
  ['http_request', 1],
  ['shell_run', 1],
  ['call_mcp_tool', 1],
  ['*', 3],
  ['Web_search', 0],
])('the glob %s names %i of the calls', (tool, count) => {
  const view: ViewParts = { requests: SENT };
  expect(onOutcome({ type: 'tool_called', tool, atLeast: count + 1 }, view)).toEqual(BROKEN);
  if (count > 0) expect(onOutcome({ type: 'tool_called', tool, atLeast: count }, view)).toEqual(OBEYED);
});

test('without a price no cost is within bounds or beyond them', () => {
  expect(onAgent({ type: 'max_cost', maxNanoUsd: 1 }, { promptTokens: 1, completionTokens: 1 })).toEqual(UNDECIDED);
  expect(onOutcome({ type: 'max_cost', maxNanoUsd: 1 }, said('a'))).toEqual(NEITHER);
});

test('a workflow costs what its prompts and answers do, and tokens that are not told apart cost nobody knows what', () => {
  const view: ViewParts = { counters: { llmTokens: 7, promptTokens: 3, completionTokens: 4 } };
  const rule = { type: 'max_cost', maxNanoUsd: 68_999, price: PRICE } as const;
  expect([onOutcome({ ...rule, maxNanoUsd: 69_000 }, view), onOutcome(rule, view)]).toEqual([OBEYED, BROKEN]);
  expect(messageFor(rule, view)).toBe('rule: expected at most $0.000068999, got $0.000069');
  expect(onAgent({ ...rule, maxNanoUsd: 69_000 }, { tokens: 7 })).toEqual(UNDECIDED);
});

test('a cost of just the bound is within it, however prices and counts are', () => {
  const milliNano = fc.integer({ min: 0, max: 10 ** 8 });
  const count = fc.nat(10 ** 6);
  fc.assert(
    fc.property(milliNano, milliNano, count, count, (input, output, promptTokens, completionTokens) => {
      const thousandths = promptTokens * input + completionTokens * output;
      const price = { inputNanoUsd: input / 1000, outputNanoUsd: output / 1000 };
      const bound = (maxNanoUsd: number) => onAgent({ type: 'max_cost', maxNanoUsd, price }, used);
      const used = { promptTokens, completionTokens };
      expect(bound(Math.ceil(thousandths / 1000))).toEqual(OBEYED);
      if (thousandths > 0) expect(bound(Math.ceil(thousandths / 1000) - 1)).toEqual(BROKEN);
    }),
  );
});

test('a workflow has no answer of its own to compare with, so behavior_unchanged without a baseline is undecided', () => {
  const rule: InvariantRule = { type: 'behavior_unchanged', baseline: null, threshold: 0.5 };
  expect(onOutcome(rule, said('a'))).toEqual(UNDECIDED);
});

test('the answer of a workflow is the reply that it shaped', () => {
  const response = { status: 200, contentType: 'text/plain', body: 'the reply' };
  expect(onOutcome({ type: 'regex', pattern: '^the reply$' }, { finalValue: 'value', response })).toEqual(OBEYED);
});

test.each([
  [{ b: [1, null, 'é'], a: { x: true } }, '{"b": [1, null, "é"], "a": {"x": true}}'],
  [[], '[]'],
  [true, 'True'],
  [false, 'False'],
  [1.5, '1.5'],
  [null, ''],
  ['"text"', '"text"'],
])('the value %j is judged as %s', (finalValue, text) => {
  const rule: InvariantRule = { type: 'behavior_unchanged', baseline: text, threshold: 1 };
  expect(onOutcome(rule, { finalValue })).toEqual(OBEYED);
});

test('an agent obeys when all its answers do, and the first that does not is shown with its prompt', () => {
  const rule: InvariantRule = { type: 'contains', value: 'yes' };
  const answers = [
    { prompt: 'One?', text: 'yes' },
    { prompt: 'Two?', text: 'no' },
    { prompt: 'Three?', text: 'never' },
  ];
  expect(onAgent(rule, ...answers)).toEqual([false, false]);
  expect(messageFor(rule, anAgentRun(...answers))).toBe(
    'rule: expected "yes" in the answer, in any case, got "no" (prompt "Two?")',
  );
  expect(messageFor(rule, anAgentRun({ prompt: 'Q', error: 'HTTP 500: oops' }))).toBe(
    'rule: expected "yes" in the answer, in any case, got no answer: HTTP 500: oops (prompt "Q")',
  );
});

test.each<[string, ViewParts]>([
  ['no answers', { turns: [] }],
  ['a prompt alone', { turns: [{ role: 'user', parts: [], intended: null, answer: null }] }],
  ['an error', { status: 'errored', reason: 'it broke', turns: [] }],
])('%s of an agent obeys no rule', (_, view) => {
  const rules: readonly InvariantRule[] = [
    { type: 'contains', value: '' },
    { type: 'latency', maxMs: 1e9 },
    { type: 'tool_not_called', tool: '*' },
  ];
  const list = rules.flatMap((rule, at) => [
    anInvariant(rule, { id: `plain ${at}` }),
    anInvariant(rule, { id: `negated ${at}`, negate: true }),
  ]);
  const checks = checksOf({ invariants: { list } }, { answersInTurns: true });
  expect(checks.filter((check) => check.holds(aView(view)))).toEqual([]);
});

test('an invariant has its id as its name, whatever else is expected', () => {
  const list = [anInvariant({ type: 'completes' }, { id: 'status' })];
  const names = checksOf({ status: 'completed', invariants: { list } }).map(({ name }) => name);
  expect(names).toEqual(['status', 'status #2']);
});

test('only rules about calls and denials, and those of the user, need requests', () => {
  const list = RULES.map(({ rule }, at) => anInvariant(rule, { id: String(at) }));
  const needing = checksOf({ invariants: { list } }).filter((check) => check.needsRequests);
  expect(needing.map(({ name }) => RULES[Number(name)]?.rule.type)).toEqual([
    'tool_called',
    'tool_called',
    'tool_not_called',
    'policy_denied',
    'policy_denied',
    'module',
    'plugin',
  ]);
});

test('a finding holds the expectation and the whole answer as values', () => {
  const list = [anInvariant({ type: 'contains', value: 'yes' })];
  const [check] = checksOf({ invariants: { list } });
  expect(check?.explain(aView(said('no')))).toEqual({
    check: 'rule',
    verdict: 'fail',
    expected: 'yes',
    got: 'no',
    message: 'rule: expected "yes" in the answer, in any case, got "no"',
  });
});

test('a pattern is shown as it is written', () => {
  const list = [anInvariant({ type: 'regex', pattern: '\\$[\\d,]+' })];
  const [check] = checksOf({ invariants: { list } });
  expect(check?.explain(aView(said('five'))).message).toBe('rule: expected a match of /\\$[\\d,]+/, got "five"');
});

test('a pattern that has no linear search is refused with the name of its invariant', () => {
  const list = [anInvariant({ type: 'regex', pattern: '(a)\\1' }, { id: 'twice' })];
  expect(() => checksOf({ invariants: { list } })).toThrow(
    'twice: /(a)\\1/ cannot be searched for: the back-reference "\\1".',
  );
  const exclusion = [anInvariant({ type: 'excludes_pattern', patterns: ['(a)\\1'] }, { id: 'twice' })];
  expect(() => checksOf({ invariants: { list: exclusion } })).toThrow(/^twice: /);
});

const aToolCall = (name: string) => ({ port: 'tool', names: [name], struckBy: [] }) as const;
