import { expect, test } from 'vitest';
import { COUNTER } from '../../src/engine/trial-state.ts';
import { aTally, aTrial, type NodeLine, type TrialParts } from './a-trial.ts';

/** Renders the text of the payload that often. */
const render = (id: string, times = 1): NodeLine => [
  id,
  'template_render',
  { template: '{{text}}'.repeat(times), inputFrom: 'trigger' },
];

/** How it ends, told by the recorded driver and by the plain one. */
async function endOf(parts: TrialParts): Promise<readonly unknown[]> {
  const { status, path, reason } = await aTrial(parts);
  const { counters } = aTally(parts);
  return [status, path.length, reason, counters[COUNTER.workflowErrored], counters[COUNTER.nodeExecutions]];
}

test('an output of more than a mebibyte is an error of its node', async () => {
  const payload = { text: 'x'.repeat(600_000) };
  expect(await endOf({ nodes: [render('a')], payload })).toEqual(['completed', 1, null, 0, 1]);
  expect(await endOf({ nodes: [render('a', 2)], payload })).toEqual([
    'errored',
    1,
    expect.stringContaining('output of more than 1048576 bytes exceeds the limit of one value'),
    1,
    1,
  ]);
});

test('outputs of more than 8 MiB in all end the walk that keeps them', async () => {
  const chain = (count: number): TrialParts => {
    const ids = Array.from({ length: count }, (_, i) => `n${i}`);
    const edges = ids.slice(1).map((id, i) => `n${i} -> ${id}`);
    return { nodes: ids.map((id) => render(id)), edges, payload: { text: 'x'.repeat(1_000_000) } };
  };
  expect((await endOf(chain(8))).slice(0, 3)).toEqual(['completed', 8, null]);
  expect(await endOf(chain(10))).toEqual([
    'errored',
    9,
    expect.stringContaining('outputs kept by one walk exceed the limit of 8388608 bytes'),
    1,
    9,
  ]);
});
