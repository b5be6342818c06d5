import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlockSpan } from '../../src/pool/blocks/block-grid.ts';
import type { Executor } from '../../src/pool/executor.ts';
import { createHybridExecutor } from '../../src/pool/hybrid-executor.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { openJournal } from '../../src/records/journal.ts';
import type { JournalHead } from '../../src/records/journal-head.ts';
import { journaled } from '../../src/pool/results/journaled.ts';
import { blocksOfShard } from '../../src/pool/blocks/shard-blocks.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import { VERSION } from '../../src/version.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aRunPlan, buildFakeWorker, bytesOf, collect, type FakeScenario, inSmallBlocks, merged } from './a-run.ts';
import { FakeDisk } from '../records/fixtures/fake-disk.ts';
import { compileFake } from './fixtures/fake-program.ts';

/** Deaths planted in one run: they share its start. */
const PER_RUN = 5;

const workers: Partial<Record<Isolation, Awaited<ReturnType<typeof buildFakeWorker>>>> = {};
const executors: Executor[] = [];
let markers: string;

beforeAll(async () => {
  markers = mkdtempSync(path.join(tmpdir(), 'passk-faults-'));
  workers.thread = await buildFakeWorker('thread');
  workers.process = await buildFakeWorker('process');
});
afterAll(async () => {
  for (const executor of executors) await executor.close();
  workers.thread?.remove();
  workers.process?.remove();
  rmSync(markers, { recursive: true, force: true });
});

/** Workers that stay warm over all faults of one kind. */
function anExecutor(isolation: Isolation): Executor {
  const url = workers[isolation]?.url;
  if (url === undefined) throw new Error('Not built.');
  const executor = createWorkersExecutor({ workers: 2, workerUrl: url, isolation });
  executors.push(executor);
  return executor;
}

async function undisturbed(scenarios: readonly FakeScenario[]): Promise<string[]> {
  const plain = scenarios.map(({ userCode: _, ...scenario }) => scenario);
  return bytesOf(await collect(createInlineExecutor({ compile: compileFake }), aRunPlan(plain)));
}

describe.each([
  { isolation: 'thread' as const, how: 'exit' as const, share: 60 },
  { isolation: 'process' as const, how: 'SIGKILL' as const, share: 40 },
])('workers that end by $how, as a $isolation', ({ isolation, how, share }) => {
  test(
    `cost nothing at ${faultPoints(share)} seeded trials`,
    async () => {
      const dice = faultDice(`workers ${isolation}`);
      const executor = anExecutor(isolation);
      let deaths = readdirSync(markers).length;
      const dying = (point: number, index: number, io: boolean): FakeScenario => {
        const trials = io ? 40 : 256 * (1 + (dice() % 3)) + (dice() % 50);
        const marker = path.join(markers, `${isolation}-${point}-${index}`);
        return { trials, io, userCode: true, exitOnce: { trial: dice() % trials, marker, how } };
      };
      for (let point = 0; point < faultPoints(share); point += PER_RUN) {
        const several = Array.from({ length: PER_RUN - 1 }, (_, index) => dying(point, index, false));
        expect({ point, bytes: bytesOf(await collect(executor, aRunPlan(inSmallBlocks(several)))) }).toEqual({
          point,
          bytes: await undisturbed(several),
        });
        // Alone: of several in flight each is tried alone, and one that dies then is rightly blamed.
        const waiting = aRunPlan([dying(point, PER_RUN, true)]);
        const disturbed = bytesOf(await collect(executor, waiting));
        expect({ point, bytes: disturbed }).toEqual({ point, bytes: bytesOf(await collect(executor, waiting)) });
        deaths += PER_RUN;
        expect({ point, deaths: readdirSync(markers).length }).toEqual({ point, deaths });
      }
    },
    120_000 + 3_000 * faultPoints(share),
  );
});

/** As many different trials of 20,000, in order. */
function culpritsAmong(count: number, dice: () => number): readonly number[] {
  const culprits = new Set<number>();
  while (culprits.size < count) culprits.add(dice() % TRIALS);
  return [...culprits].toSorted((a, b) => a - b);
}

const TRIALS = 20_000;
/** What the repair of a run is asked for at most. */
const MOST = { deaths: 200, hangs: 20 };

describe.each([
  { what: 'end their workers', kind: 'deaths', share: 24 },
  { what: 'never end', kind: 'hangs', share: 3 },
] as const)('trials that $what', ({ kind, share }) => {
  const count = Math.min(MOST[kind], faultPoints(share));
  test(
    `cost their own verdicts at ${count} of 20,000 seeded places, with the same bytes wherever they run`,
    async () => {
      const culprits = culpritsAmong(count, faultDice(`culprits ${kind}`));
      const scenario: FakeScenario = {
        trials: TRIALS,
        userCode: true,
        ...(kind === 'deaths' ? { exitAt: culprits } : { stallAt: culprits }),
      };
      const plan = aRunPlan(inSmallBlocks([scenario, { trials: 5000 }]));
      const reports: Tally[][] = [];
      for (const [isolation, count] of [
        ['thread', 0],
        ['thread', 1],
        ['thread', 2],
        ['process', 2],
      ] as const) {
        const url = workers[isolation]?.url;
        if (url === undefined) throw new Error('Not built.');
        const options = { workers: count, isolation, compile: compileFake, workerUrl: url, hangTimeoutMs: 1500 };
        const executor = createHybridExecutor(options);
        executors.push(executor);
        reports.push(await collect(executor, plan));
        await executor.close();
      }
      const [first, ...others] = reports;
      for (const other of others) expect(bytesOf(other)).toEqual(bytesOf(first ?? []));
      const [bad, good] = first ?? [];
      const [healthy] = await collect(createInlineExecutor({ compile: compileFake }), aRunPlan([{ trials: TRIALS }]));
      const passes = (trial: number): boolean =>
        (((healthy?.verdicts.words[trial >>> 5] ?? 0) >>> (trial & 31)) & 1) === 1;
      const lost = culprits.filter(passes).length;
      expect({ passed: bad?.passed, failed: bad?.failed, broken: bad?.broken }).toEqual({
        passed: (healthy?.passed ?? 0) - lost,
        failed: (healthy?.failed ?? 0) - (count - lost),
        broken: count,
      });
      expect(bad?.lowestBroken.map(({ trial }) => trial)).toEqual(culprits.slice(0, bad?.lowestBroken.length));
      expect(good?.executed).toBe(5000);
    },
    180_000 + count * (kind === 'deaths' ? 2_000 : 60_000),
  );
});

const HEAD: JournalHead = {
  identity: { passk: VERSION, seed: 0, bail: 0, plugins: [], scenarios: [] },
  shard: null,
};
const SUITE: readonly FakeScenario[] = [
  { trials: 5 * 4096 + 7, failEvery: 0, userCode: false },
  { trials: 2 * 4096, failEvery: 3 },
  { trials: 1 },
];
const plan = aRunPlan(SUITE);

describe.each([
  { mode: 'inline', share: 48, parts: 1 },
  { mode: 'pool', share: 24, parts: 1 },
  { mode: 'process', share: 16, parts: 1 },
  { mode: 'shard', share: 20, parts: 3 },
])('a disk that fails under a journal, $mode', ({ mode, share, parts }) => {
  test(
    `costs an error or nothing at ${faultPoints(share)} seeded operations, and the run goes on to the same bytes`,
    async () => {
      const dice = faultDice(`disk ${mode}`);
      const expected = await undisturbed(SUITE);
      const executor =
        mode === 'inline' || mode === 'shard'
          ? createInlineExecutor({ compile: compileFake })
          : anExecutor(mode === 'pool' ? 'thread' : 'process');
      let errors = 0;
      for (let point = 0; point < faultPoints(share); point++) {
        const deltas: Delta[] = [];
        for (let part = 1; part <= parts; part++) {
          const blocks = blocksOfShard(plan, { index: part, count: parts });
          deltas.push(...(await runOnBadDisk(executor, blocks, { dice, onError: () => errors++ })));
        }
        expect({ point, bytes: bytesOf(merged(plan, deltas)) }).toEqual({ point, bytes: expected });
      }
      expect(errors).toBeGreaterThan(0);
    },
    120_000 + 1_000 * faultPoints(share),
  );
});

/** One fault, after which the power may be cut; then a run to the end, whose deltas come back. */
async function runOnBadDisk(
  executor: Executor,
  blocks: readonly BlockSpan[],
  { dice, onError }: { readonly dice: () => number; readonly onError: () => void },
): Promise<Delta[]> {
  const disk = new FakeDisk(dice);
  const run = async (): Promise<Delta[]> => {
    const journal = await openJournal({ folder: '/run', resume: true, head: HEAD, onNotice: () => {}, files: disk });
    const deltas: Delta[] = [];
    try {
      for await (const delta of journaled(executor, journal).run(plan, { blocks })) deltas.push(delta);
    } finally {
      await journal.close();
    }
    return deltas;
  };
  disk.mostBytes = 1 + (dice() % 3000);
  disk.faults = [{ at: 1 + (dice() % 24), code: dice() % 2 === 0 ? 'ENOSPC' : 'EIO' }];
  await run().catch((error: unknown) => {
    expect(error).toMatchObject({ name: 'PasskError', code: 'OUTPUT' });
    onError();
  });
  if (dice() % 2 === 0) disk.cutPower();
  disk.faults = [];
  return run();
}
