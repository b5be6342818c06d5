import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FromWorker } from '../../../src/pool/messages.ts';
import { WorkerOutbox } from '../../../src/pool/worker/worker-outbox.ts';
import { decodeTally, encodeTally } from '../../../src/pool/tally/tally-codec.ts';
import type { TrialProgram } from '../../../src/trial/program.ts';
import type { Tally } from '../../../src/trial/tally/tally.ts';
import { aRunPlan } from '../a-run.ts';
import { compileFake, FAKE_SHAPE } from '../fixtures/fake-program.ts';

const BLOCK = 8;

/** Pieces of work in the order in which they are done: a worker, a block that only it runs, and whether it sends then. */
const pieces = fc.integer({ min: 1, max: 24 }).chain((blocks) =>
  fc.record({
    blocks: fc.shuffledSubarray(
      Array.from({ length: blocks }, (_, block) => block),
      { minLength: blocks },
    ),
    workers: fc.array(fc.record({ worker: fc.nat(2), sends: fc.boolean() }), { minLength: blocks, maxLength: blocks }),
  }),
);

test('the lowest failing trials are shown, whoever ran which blocks in which order', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 40 }), fc.boolean(), ({ blocks, workers }, failEvery, separate) => {
      const program = aFake(failEvery);
      const outboxes = [0, 1, 2].map(() => openOutbox(separate));
      for (const [at, block] of blocks.entries()) {
        const { worker = 0, sends = false } = workers[at] ?? {};
        const { outbox } = outboxes[worker] as Opened;
        runBlock(outbox, program, block);
        if (sends || separate) outbox.flush();
      }
      const sum = program.newTally();
      for (const { outbox, sent } of outboxes) {
        outbox.flush();
        for (const tally of sent()) sum.merge(tally);
      }
      expect(bytes(sum)).toBe(bytes(whole(program, blocks.length)));
    }),
  );
});

test('a worker that has shown enough failing trials shows no higher ones, unless its blocks stand for themselves', () => {
  const program = aFake(2);
  const shown = (separate: boolean) => {
    const { outbox, sent } = openOutbox(separate);
    for (const block of [4, 5, 1]) {
      runBlock(outbox, program, block);
      outbox.flush();
    }
    return sent().map((tally) => tally.shown.map(({ trial }) => trial));
  };
  expect(shown(false)).toEqual([[33, 35, 37], [], [9, 11, 13]]);
  expect(shown(true)).toEqual([
    [33, 35, 37],
    [41, 43, 45],
    [9, 11, 13],
  ]);
});

interface Opened {
  readonly outbox: WorkerOutbox;
  /** What has been sent since it was last asked. */
  sent(): Tally[];
}

function openOutbox(separate: boolean): Opened {
  const { port1, port2 } = new MessageChannel();
  port2.unref();
  return { outbox: new WorkerOutbox(port1, { separate }), sent: () => [...received(port2)] };
}

function* received(port: MessagePort): Generator<Tally, void, undefined> {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    const message = next.message as FromWorker;
    if (message.kind === 'blocks') yield decodeTally(message.tally, FAKE_SHAPE);
  }
}

function aFake(failEvery: number): TrialProgram {
  const [plan] = aRunPlan([{ trials: 1000, failEvery }]).scenarios;
  if (plan === undefined) throw new Error('the plan is empty');
  return compileFake(plan, { plugins: [], callHost: null });
}

function runBlock(outbox: WorkerOutbox, program: TrialProgram, block: number): void {
  program.run(block * BLOCK, (block + 1) * BLOCK, outbox.tallyFor(0, block, program));
  outbox.complete(block);
}

function whole(program: TrialProgram, blocks: number): Tally {
  const tally = program.newTally();
  program.run(0, blocks * BLOCK, tally);
  return tally;
}

function bytes(tally: Tally): string {
  return Buffer.from(encodeTally(tally)).toString('hex');
}
