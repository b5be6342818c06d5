import { expect, test } from 'vitest';
import { conversationRows } from '../../../src/report/sections/conversation-rows.ts';
import { spacedJson } from '../../../src/report/spaced-json.ts';
import { recordRun } from '../../../src/trial/recording/record-run.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';

const rowsOf = (run: ImportedRun) => {
  const at = { files: ['runs.json'], byte: 0 };
  const record = recordRun({ trial: 0, run, at, needsVerdict: true }, { scorer: null, passScore: 1 });
  return conversationRows(record, spacedJson).map(({ label, text, role }) => [label, text, role ?? '']);
};

test('a recorded run shows scores, speakers, calls with arguments, results, errors and usage, in order', () => {
  const run: ImportedRun = {
    task: 'refund',
    scores: [
      { name: 'reward', value: 0, explanation: 'The order stands.' },
      { name: 'tone', value: 'C', passed: true },
      { name: 'length', value: null },
    ],
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be kind.\nBe short.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Cancel it.' }] },
      {
        role: 'assistant',
        model: 'm-1',
        latencyMs: 1200,
        usage: { promptTokens: 1200, completionTokens: 30, cachedTokens: 1000 },
        parts: [
          { kind: 'reasoning', text: 'Which one?' },
          { kind: 'tool_call', id: 'a', name: 'cancel', args: { id: [1] } },
          { kind: 'tool_call', id: 'b', name: 'log', args: '{', problem: 'The arguments are not JSON.' },
        ],
      },
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'a', name: 'cancel', result: { done: true } }] },
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'b', name: 'log', result: 'refused', isError: true }] },
      { role: 'assistant', parts: [], problem: 'It was cut off.' },
      { role: 'assistant', parts: [] },
    ],
  };
  expect(rowsOf(run)).toEqual([
    ['task', 'refund', ''],
    ['score', 'reward 0 (failed): The order stands.', 'bad'],
    ['score', 'tone C (passed)', ''],
    ['score', 'length none', ''],
    ['system', 'Be kind.\nBe short.', ''],
    ['user', 'Cancel it.', ''],
    ['thinks', 'Which one?', ''],
    ['calls', 'cancel {"id": [1]}', ''],
    ['calls', 'log "{"', ''],
    ['problem', 'The arguments are not JSON.', 'bad'],
    ['took', 'm-1, 1.20 s, 1,200 tokens in, 1,000 of them cached, 30 out', ''],
    ['result', '{"done": true}', ''],
    ['result', 'refused', 'bad'],
    ['problem', 'It was cut off.', 'bad'],
    ['assistant', '""', ''],
  ]);
});

test('an answer that was cut or withheld says so, and one that came to its end does not', () => {
  const messages = (['stop', 'length', 'filtered', 'tool_calls'] as const).map((finish) => ({
    role: 'assistant' as const,
    parts: [{ kind: 'text' as const, text: finish }],
    finish,
  }));
  expect(rowsOf({ task: 'refund', scores: [{ name: 'reward', value: 1 }], messages }).slice(2)).toEqual([
    ['assistant', 'stop', ''],
    ['assistant', 'length', ''],
    ['finish', 'cut at a cap of tokens', 'warn'],
    ['assistant', 'filtered', ''],
    ['finish', 'a refusal, or cut by a filter', 'warn'],
    ['assistant', 'tool_calls', ''],
  ]);
});

test('calls that stand in no message follow what was said', () => {
  const calls = [
    { name: 'get', args: {}, result: 7 },
    { name: 'put', args: { id: 1 }, problem: 'timed out' },
  ];
  expect(rowsOf({ task: 'a', scores: [], messages: [], calls })).toEqual([
    ['task', 'a', ''],
    ['calls', 'get {}', ''],
    ['result', '7', ''],
    ['calls', 'put {"id": 1}', ''],
    ['problem', 'timed out', 'bad'],
  ]);
});
