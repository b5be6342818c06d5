import { expect, test } from 'vitest';
import type { ChildResult, Reply } from '../../src/plugin/request.ts';
import { aStep, begin, converse } from './a-step.ts';

const children = (...results: readonly ChildResult[]): Reply => ({ kind: 'children', results });
const RESULTS: readonly ChildResult[] = [
  { kind: 'completed', value: 7 },
  { kind: 'failed', reason: 'bad luck' },
  { kind: 'timed_out' },
  { kind: 'error', category: 'tool', message: 'tool `read_file` failed: gone' },
];

test('call gives the child its input and goes on by how it ended', () => {
  const step = aStep('call', { workflow: 'c.toml', inputFrom: 'x' });
  expect(begin(step, { x: 1 })).toEqual({
    kind: 'ask',
    request: { port: 'children', runs: [{ workflow: 'c.toml', input: 1 }], maxConcurrent: 1 },
    state: null,
  });
  expect(RESULTS.map((result) => converse(step, {}, [children(result)]).end)).toEqual([
    { kind: 'done', output: { result: 7 } },
    { kind: 'done', output: { error: 'bad luck' }, branch: 'error' },
    { kind: 'done', output: { error: 'sub-workflow timed out' }, branch: 'error' },
    { kind: 'error', category: 'tool', message: 'tool `read_file` failed: gone', verbatim: true },
  ]);
  expect(converse(step, {}, [children({ kind: 'paused' })]).end).toMatchObject({ kind: 'error', category: 'workflow' });
});

test('a child gets the payload by default, null for a missing value, and its start node', () => {
  const runs = (config: Record<string, string>) => {
    const move = begin(aStep('call', { workflow: 'c', ...config }), { payload: { p: 1 } });
    return move.kind === 'ask' && move.request.port === 'children' ? move.request.runs : [];
  };
  expect(runs({ start: 's' })).toEqual([{ workflow: 'c', start: 's', input: { p: 1 } }]);
  expect(runs({ inputFrom: 'nowhere' })).toEqual([{ workflow: 'c', input: null }]);
});

test('parallel runs all branches at once and joins them in order', () => {
  const branches = [{ workflow: 'a' }, { workflow: 'b', inputFrom: 'x' }, { workflow: 'c' }, { workflow: 'd' }];
  const step = aStep('parallel', { branches });
  expect(begin(step, { payload: 'P', x: 'X' })).toEqual({
    kind: 'ask',
    request: {
      port: 'children',
      runs: [
        { workflow: 'a', input: 'P' },
        { workflow: 'b', input: 'X' },
        { workflow: 'c', input: 'P' },
        { workflow: 'd', input: 'P' },
      ],
      maxConcurrent: 4,
    },
    state: null,
  });
  expect(converse(step, {}, [children(...RESULTS)]).end).toEqual({
    kind: 'done',
    output: {
      results: [
        { result: 7 },
        { error: 'sub-workflow failed: bad luck' },
        { error: 'sub-workflow timed out' },
        { error: 'tool `read_file` failed: gone' },
      ],
      ok: false,
    },
    branch: 'error',
  });
});

test('nothing to run is a success without asking', () => {
  const empty = { kind: 'done', output: { results: [], ok: true } };
  expect(begin(aStep('parallel', { branches: [] }))).toEqual(empty);
  expect(begin(aStep('map', { itemsFrom: 'x', workflow: 'c', maxItems: 1 }), { x: [] })).toEqual(empty);
});

test('map runs one child for each element', () => {
  const step = aStep('map', { itemsFrom: 'x', workflow: 'c', maxItems: 2 });
  expect(
    converse(step, { x: ['a', 'b'] }, [children({ kind: 'completed', value: 1 }, { kind: 'completed', value: 2 })]),
  ).toEqual({
    requests: [
      {
        port: 'children',
        runs: [
          { workflow: 'c', input: 'a' },
          { workflow: 'c', input: 'b' },
        ],
        maxConcurrent: 4,
      },
    ],
    end: { kind: 'done', output: { results: [{ result: 1 }, { result: 2 }], ok: true } },
  });
});

test('map refuses anything but an array within its bound', () => {
  const step = aStep('map', { itemsFrom: 'x.y', workflow: 'c', maxItems: 2 });
  const messages = [undefined, null, true, 1, 's', {}, [1, 2, 3]].map((items) => {
    const move = begin(step, items === undefined ? {} : { 'x.y': items });
    return move.kind === 'error' ? move.message : move.kind;
  });
  expect(messages).toEqual([
    'map node `n`: items_from `x.y` is not set in the execution context',
    'map node `n`: items_from `x.y` resolved to null — an array is required',
    'map node `n`: items_from `x.y` resolved to a boolean — an array is required',
    'map node `n`: items_from `x.y` resolved to a number — an array is required',
    'map node `n`: items_from `x.y` resolved to a string — an array is required',
    'map node `n`: items_from `x.y` resolved to an object — an array is required',
    'map node `n`: 3 items exceed the declared max_items 2 — raise the bound or send fewer items',
  ]);
});
