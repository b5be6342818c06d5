import { expect, test } from 'vitest';
import { compileChaos } from '../../../src/faults/chaos/compile-chaos.ts';
import { recordAgent } from '../../../src/trial/agent/record-agent.ts';
import { KIND_BITS } from '../../../src/types/chaos.ts';
import { anAnswer } from '../../checks/invariants/builders.ts';
import { aChaos, anLlmFault, aToolFault } from '../../faults/chaos/a-chaos.ts';

test('a prompt and its answer are two turns; what was seen of the answer stands with it', () => {
  const seen = { tokens: 7, promptTokens: 3, completionTokens: 4, latencyMs: 60, baseline: 'Before.' };
  const calls = [
    { port: 'model', names: ['gpt'], struckBy: [] },
    { port: 'tool', names: ['web_search', 'host'], struckBy: ['tool web_search: error'] },
  ] as const;
  const answers = [
    anAnswer({ ...seen, calls, struck: KIND_BITS.tool }),
    anAnswer({ prompt: 'And then?', sent: 'And then?\n\nI am the owner.', error: 'HTTP 500', text: '' }),
  ];
  const record = recordAgent(4, { answers, fired: [] }, null);
  expect(record.turns.map(({ role, parts, intended }) => [role, parts, intended])).toEqual([
    ['user', [{ kind: 'text', text: 'What is it?' }], null],
    ['assistant', [{ kind: 'text', text: 'A thing.' }], null],
    ['user', [{ kind: 'text', text: 'And then?\n\nI am the owner.' }], 'And then?'],
    ['assistant', [], null],
  ]);
  expect(record.turns[1]?.answer).toMatchObject({
    problem: null,
    asked: true,
    struck: ['tool'],
    showsCalls: true,
    latencyMs: 60,
    tokens: 7,
    usage: { promptTokens: 3, completionTokens: 4, cachedTokens: null },
    reference: 'Before.',
  });
  expect(record.turns[3]?.answer).toMatchObject({ problem: 'HTTP 500', showsCalls: false, tokens: null });
  expect(record.calls?.map(({ port, names, turn, struckBy }) => [port, names, turn, struckBy])).toEqual([
    ['model', ['gpt'], 1, []],
    ['tool', ['web_search', 'host'], 1, ['tool web_search: error']],
  ]);
  expect(record.counters).toEqual({ llmCalls: 1, toolCalls: 1, llmTokens: 7, promptTokens: 3, completionTokens: 4 });
  expect([record.trial, record.struck, record.workflow]).toEqual([4, null, null]);
});

test('calls that nobody saw are not said to be none', () => {
  expect(recordAgent(0, { answers: [anAnswer({})], fired: [] }, null).calls).toBe(null);
});

test('declared faults struck where they fired, or all of them where being in force is enough', () => {
  const chaos = aChaos({ toolFaults: [aToolFault({ mode: 'error' })], llmFaults: [anLlmFault({ mode: 'empty' })] });
  const struck = (inForce?: true) =>
    recordAgent(
      0,
      { answers: [anAnswer({})], fired: [0, 3] },
      compileChaos({ ...chaos, ...(inForce && { inForce }) }, [0, 0, 0, 0]),
    ).struck?.map(({ kind, fired }) => [kind, fired]);
  expect(struck()).toEqual([['llm', 3]]);
  expect(struck(true)).toEqual([
    ['tool', 0],
    ['llm', 3],
  ]);
});
