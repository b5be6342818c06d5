import { expect, test } from 'vitest';
import { runSuite } from '../../src/index.ts';
import { judged } from '../support/sampled.ts';

/** The failure of one trial of a workflow whose one node gives a long text and may come to itself again. */
async function failureOf(checks: number, rounds: number) {
  const report = await runSuite({
    workers: 0,
    scenarios: [
      {
        name: 'large',
        workflow: {
          inline: {
            name: 'large',
            startNodes: [{ name: 'main', source: 'manual', entryNode: 'say' }],
            nodes: [
              { id: 'say', type: 'template_render', template: '{{text}}', inputFrom: 'trigger' },
              { id: 'again', type: 'condition', expr: 'trigger.text' },
            ],
            edges: [
              { from: 'say', to: 'again' },
              { from: 'again', to: 'again', when: 'true', maxIterations: rounds },
            ],
          },
        },
        trigger: { payload: { text: 'x'.repeat(3000) } },
        expected: { values: Array.from({ length: checks }, (_, i) => ({ node: 'say', equals: `never ${i}` })) },
      },
    ],
  });
  return judged(report.scenarios[0]).failures[0];
}

test('a failure whose values would be longer than 64 Ki characters keeps its messages', async () => {
  const few = await failureOf(2, 1);
  expect(few?.findings.map(({ got }) => got !== null)).toEqual([true, true]);
  const many = await failureOf(100, 1);
  expect(many?.findings.map(({ expected, got }) => [expected, got])).toEqual(
    Array.from({ length: 100 }, () => [null, null]),
  );
  expect(many?.findings.every(({ message }) => message.length > 0)).toBe(true);
});

test('of a long path the first 200 nodes are shown', async () => {
  const { path = [] } = (await failureOf(1, 400)) ?? {};
  expect([path.length, path[0], path.at(-1)]).toEqual([201, 'say', '…']);
});
