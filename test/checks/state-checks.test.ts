import { describe, expect, test } from 'vitest';
import { compileChecks } from '../../src/checks/compile-checks.ts';
import { NOTHING_EXPECTED } from '../../src/scenario/bare-scenario.ts';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { answerTurn, COMPLETED, newRecord, promptTurn } from '../../src/values/blank-record.ts';
import { judgeRecord } from '../../src/trial/record/judge-record.ts';
import type { Json } from '../../src/types/json.ts';
import type { Expected } from '../../src/types/scenarios/expected.ts';

/** Names of failing checks, and what the first of them says. */
function judged(expected: Partial<Expected>, after: Json | undefined, said: readonly string[] = []) {
  const findings = findingsOf(expected, after, said);
  return { failed: findings.map(({ check }) => check), message: findings[0]?.message ?? '' };
}

function findingsOf(expected: Partial<Expected>, after: Json | undefined, said: readonly string[] = []) {
  const checks = compileChecks(
    { ...NOTHING_EXPECTED, ...expected },
    { nodeIds: [], compileSchema: compileJsonSchema, answersInTurns: true },
  );
  const record = newRecord({
    trial: 0,
    ending: COMPLETED,
    turns: said.flatMap((text) => [promptTurn('?'), answerTurn(text, {})]),
    world: after === undefined ? null : { files: null, state: { before: {}, after } },
  });
  return judgeRecord(record, { checks, nodeIds: [] }).findings;
}

const state = (rest: Partial<NonNullable<Expected['state']>>): Partial<Expected> => ({
  state: { unordered: [], values: [], ...rest },
});

describe('the check `state`', () => {
  test('holds where the state is what the gold calls make of it, key order aside', () => {
    expect(judged(state({ gold: { a: 1, b: [1, 2] } }), { b: [1, 2], a: 1 }).failed).toEqual([]);
  });

  test('names the places that differ, and what should stand there', () => {
    const { failed, message } = judged(state({ gold: { a: 1, b: { c: 'x' } } }), { a: 2, b: {}, d: true });
    expect(failed).toEqual(['state']);
    expect(message).toBe(
      'state: expected the state that the gold calls make, got a 2 in place of 1; b.c nothing in place of "x"; d true in place of nothing',
    );
  });

  test('tells a place where nothing stands from one that holds null', () => {
    const [finding] = findingsOf(state({ gold: { a: [null], b: 1 } }), { a: [], b: null });
    expect(finding).toMatchObject({ check: 'state', expected: { 'a.0': null, b: 1 }, got: { b: null } });
    expect(Object.keys(Object(finding?.got))).toEqual(['b']);
  });

  test('M-02: a list in another order fails, and is flagged as a difference of order alone', () => {
    const gold = { a: [1, 2] };
    expect(judged(state({ gold }), { a: [2, 1] }).message).toContain('ORDER_ONLY');
    expect(judged(state({ gold }), { a: [2, 3] }).message).not.toContain('ORDER_ONLY');
    expect(judged(state({ gold, unordered: [['a']] }), { a: [2, 1] }).failed).toEqual([]);
  });

  test('fails where nobody saw a state', () => {
    expect(judged(state({ gold: {} }), undefined).failed).toEqual(['state']);
  });
});

test('places of the state, and its schema, are checks of their own', () => {
  const expected = state({
    values: [
      { at: 'a', test: { kind: 'equals', value: 1 } },
      { at: 'b.c', test: { kind: 'exists', exists: false } },
      { at: 'a', test: { kind: 'above', value: 1 } },
      { at: 'a', test: { kind: 'in', values: [2, 3] } },
    ],
    schema: { type: 'object', required: ['z'] },
  });
  expect(judged(expected, { a: 1, b: {} }).failed).toEqual(['state schema', 'state a above', 'state a in']);
});

test('what the subject must have said may stand in any of its messages, as a part or a pattern', () => {
  const expected = { says: [{ contains: '35' }, { matches: '(?i)paid back' }] };
  expect(judged(expected, {}, ['It is 35 euros.', 'Paid back.']).failed).toEqual([]);
  expect(judged(expected, {}, ['It is 34 euros.']).failed).toEqual(['says "35"', 'says "(?i)paid back"']);
});

describe('a control', () => {
  const expected = { ...state({ gold: { a: 1 } }), says: [{ contains: 'done' }] };

  test('passes where exactly the named checks fail', () => {
    expect(judged({ ...expected, fails: ['state'] }, { a: 2 }, ['done']).failed).toEqual([]);
  });

  test('fails where the oracle lets it pass, or something else fails', () => {
    const passes = judged({ ...expected, fails: ['state'] }, { a: 1 }, ['done']);
    expect(passes).toEqual({
      failed: ['fails'],
      message: 'fails: expected state to fail, and nothing else, got no check that fails',
    });
    expect(judged({ ...expected, fails: ['state'] }, { a: 2 }, ['?']).failed).toEqual(['fails']);
  });
});
