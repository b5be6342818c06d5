import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { Ports } from '../../src/plugin/request.ts';
import { aProgram, aTurn, type NodeLine, type TrialParts } from './a-trial.ts';

const outside: NodeLine = ['', 'read_env', { key: 'HOME' }];
const canned: NodeLine = ['', 'llm_infer', { backend: 'default', prompt: 'Go on.' }];
const inMemory: NodeLine = [
  '',
  'write_file',
  { pathFrom: 'trigger.payload.path', contentFrom: 'trigger.payload.text' },
];

/** One child per item, each walking the same nodes. */
function aMap(kinds: readonly NodeLine[], items: number, maxConcurrent: number): TrialParts {
  const nodes = kinds.map(([, type, config = {}], at): NodeLine => [`n${at}`, type, config]);
  return {
    nodes: [['each', 'map', { itemsFrom: 'trigger.items', workflow: 'child', maxItems: 9, maxConcurrent }]],
    payload: { items: Array.from({ length: items }, (_, at) => ({ path: '/tmp/log', text: `child ${at}` })) },
    children: { child: { nodes, edges: nodes.slice(1).map((_, at) => `n${at} -> n${at + 1}`) } },
    turns: Array.from({ length: 12 }, (_, at) => aTurn(`answer ${at}`)),
    world: { env: { HOME: '/home' } },
  };
}

/** Answers of the outside world take some turns of the event loop; says how many were under way at most. */
function aSlowWorld(delays: Iterator<number>): {
  readonly around: (ports: Ports) => Ports;
  readonly peak: () => number;
} {
  let underWay = 0;
  let peak = 0;
  const around = (ports: Ports): Ports => ({
    overlaps: ({ port }) => port === 'env',
    ask: async (request, at) => {
      if (request.port !== 'env') return ports.ask(request, at);
      peak = Math.max(peak, ++underWay);
      const answer = ports.ask(request, at);
      for (let left = delays.next().value as number; left > 0; left--) await nextTurn();
      underWay--;
      return answer;
    },
  });
  return { around, peak: () => peak };
}

test('children overlap up to their limit while they wait, and give what they give one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(outside, canned, inMemory), { maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
      async (rest, items, maxConcurrent, delays) => {
        const parts = aMap([outside, ...rest], items, maxConcurrent);
        const { around, peak } = aSlowWorld(delays);
        const plain = aProgram(parts);
        const slow = aProgram({ ...parts, aroundPorts: around });
        const [expected, tally] = [plain.newTally(), slow.newTally()];
        plain.run(0, 1, expected);
        await slow.runAsync(0, 1, tally, { concurrency: 1 });
        expect(encodeTally(tally)).toEqual(encodeTally(expected));
        expect((await slow.inspect(0)).result).toEqual((await plain.inspect(0)).result);
        expect(peak()).toBe(Math.min(items, maxConcurrent));
      },
    ),
  );
});

test('each request that is waited for is told when the run stops, by a signal of its own', async () => {
  const waiting: (AbortSignal | undefined)[] = [];
  const program = aProgram({
    ...aMap([outside, outside], 3, 3),
    aroundPorts: (ports) => ({
      overlaps: () => true,
      ask: (request, at, signal) => {
        // The first node of each child is answered at once, the second one never.
        if (at.node !== 'n1') return ports.ask(request, at, signal);
        waiting.push(signal);
        return new Promise(() => undefined);
      },
    }),
  });
  const stop = new AbortController();
  const run = program.runAsync(0, 1, program.newTally(), { concurrency: 1, signal: stop.signal });
  while (waiting.length < 3) await nextTurn();
  expect(new Set(waiting).size).toBe(3);
  expect(waiting.map((signal) => signal?.aborted)).toEqual([false, false, false]);
  stop.abort();
  await run;
  expect(waiting.map((signal) => signal?.aborted)).toEqual([true, true, true]);
});
