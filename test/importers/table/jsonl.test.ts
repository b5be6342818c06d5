import { describe, expect, it } from 'vitest';
import { jsonl } from '../../../src/importers/table/jsonl.ts';
import { importAll, sourceOf } from '../import-all.ts';

const of = (text: string) => sourceOf({ 'runs.jsonl': text });
const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('jsonl', () => {
  it('reads rows of usual names, one a line or in a list', () => {
    const rows = [
      { task: 7, passed: true, score: 0.5, messages: [{ role: 'user', content: 'Hi' }], tags: ['a'] },
      { task: 7, passed: 0, error: { message: 'rate limited' }, id: 'run-2' },
      { task: 'b', passed: null, input: 'Who?', output: { name: 'Ann' }, model: 'm', latency_ms: 12 },
    ];
    const runs = [
      {
        task: '7',
        scores: [
          { name: 'passed', value: true },
          { name: 'score', value: 0.5 },
        ],
        messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
        extra: { tags: ['a'] },
      },
      { task: '7', id: 'run-2', scores: [{ name: 'passed', value: false }], error: 'rate limited' },
    ];
    const judgedByNobody = {
      task: 'b',
      scores: [{ name: 'passed', value: null }],
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Who?' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: '{"name":"Ann"}' }], model: 'm' },
      ],
      durationMs: 12,
    };
    for (const text of [lines(...rows), `${lines(...rows)}\n\n`, JSON.stringify(rows, null, 2)]) {
      expect(jsonl.detects(of(text), {})).toBe(true);
      const { sets, broken, problems } = importAll(jsonl, of(text));
      expect([broken, problems]).toEqual([[], []]);
      expect(sets).toEqual({ '': runs, m: [judgedByNobody] });
    }
  });

  it('reads what a task is crossed of, as an object or its text, and says where a column is none', () => {
    const crossed = { row: 'user 1', column: 'attack 2', stratum: '' };
    const rows = [crossed, JSON.stringify(crossed), null, { row: 'user 1' }].map((one) => ({
      task: 'a',
      passed: true,
      crossed: one,
    }));
    const told = importAll(jsonl, of(lines(...rows))).sets['']?.map((run) => [run.crossed, run.unsaid]);
    expect(told).toEqual([
      [crossed, undefined],
      [crossed, undefined],
      [undefined, undefined],
      [undefined, { crossed: '"crossed" is "{\\"row\\":\\"user 1\\"}", no object with row, column and stratum' }],
    ]);
  });

  it('reads fields under dotted paths, and names of columns that have dots', () => {
    const row = { meta: { q: 'a' }, 'eval.ok': 'PASS', usage: { in: 10, out: 2 }, ms: 5 };
    const options = { task: 'meta.q', passed: 'eval.ok', prompt_tokens: 'usage.in', completion_tokens: 'usage.out' };
    expect(jsonl.detects(of(lines(row, row)), {})).toBe(false);
    expect(importAll(jsonl, of(lines(row)), options).sets['']).toEqual([
      {
        task: 'a',
        scores: [{ name: 'eval.ok', value: true }],
        costs: [{ kind: 'model', name: '', usage: { promptTokens: 10, completionTokens: 2 } }],
        extra: { meta: { q: 'a' }, usage: { in: 10, out: 2 }, ms: 5 },
      },
    ]);
  });

  it('passes over a byte order mark, empty lines and spaces', () => {
    const text = `\ufeff${lines({ task: 'a', passed: true })}\r\n\n  \n${lines({ task: 'b', passed: false })}`;
    const { sets, broken } = importAll(jsonl, of(text));
    expect(broken).toEqual([]);
    expect(sets['']?.map(({ task }) => task)).toEqual(['a', 'b']);
  });

  it('is not detected in JSON that is no table', () => {
    const texts = ['{"task": "x"}', '{\n"task": "x",\n"passed": true\n}', '[1, 2]', '"task"', '', 'task,passed\na,1\n'];
    expect(texts.filter((text) => jsonl.detects(of(text), {}))).toEqual([]);
    expect(jsonl.detects(of('{"task": "x", "passed": true}\n'), {})).toBe(true);
  });

  it('costs a broken row itself, and tells where one stands that tells no set', () => {
    const text = `${lines({ task: 'a', agent: 'x', passed: true }, { agent: 'x', passed: true }, [1])}\n{"task": `;
    const { sets, broken, problems } = importAll(jsonl, of(text));
    expect(sets).toEqual({ x: [{ task: 'a', scores: [{ name: 'passed', value: true }] }], '': [] });
    expect(broken).toEqual([
      'It names no task.',
      'It is no object.',
      expect.stringMatching(/^It is not JSON/) as unknown as string,
    ]);
    expect(problems).toEqual([
      { message: 'This row tells no set. It is no object.', file: 0, at: text.indexOf('[1]') },
      { message: expect.stringContaining('This row tells no set. It is not JSON'), file: 0, at: text.lastIndexOf('{') },
    ]);
    const list = importAll(jsonl, of('[{"task": "a", "passed": 1}, {"task": "b"'));
    expect(list.problems).toMatchObject([{ message: 'The file ends in the middle of a value.' }]);
  });

  it('refuses a row in which a key stands twice, at any depth, and no other', () => {
    const rows = [
      '{"task":"a","passed":false,"passed":true}',
      '{"task":"a","passed":true,"note":[{"x":1},{"x":{"y":"}","\\u0079":2}}]}',
      '{"task":"a","passed":true,"note":{"x":"\\"x\\":","passed":{"passed":["passed","passed"]}}}',
    ];
    const { sets, broken } = importAll(jsonl, of(rows.join('\n')));
    expect(broken).toEqual([
      'The key "passed" stands twice in it. Keep one of them.',
      'The key "y" stands twice in it. Keep one of them.',
    ]);
    expect(sets['']).toHaveLength(1);
    const ofSets = importAll(
      jsonl,
      of('{"set":"s","task":"a","passed":true}\n{"set":"s","set":"t","task":"a","passed":true}'),
    );
    expect(ofSets.problems).toMatchObject([{ message: expect.stringContaining('The key "set" stands twice') }]);
  });

  it('says what is missing where no row is one of a table', () => {
    expect(() => importAll(jsonl, of(lines({ q: 1, ok: true }, { q: 2, cost: 1 })))).toThrow(
      'No column tells the task: name it as task=COLUMN. No column tells whether a run passed: name it as passed=COLUMN, or score=COLUMN. Its columns: "q", "ok", "cost".',
    );
    expect(() => importAll(jsonl, of('hello'))).toThrow('It has no rows that are JSON objects.');
  });
});
