import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PasskError } from '../../src/errors.ts';
import { spansOf, trialsOf } from '../../src/pool/blocks/block-grid.ts';
import type { Executor } from '../../src/pool/executor.ts';
import { encodeFrame } from '../../src/records/frame.ts';
import { openJournal } from '../../src/records/journal.ts';
import { journaled } from '../../src/pool/results/journaled.ts';
import type { JournalHead } from '../../src/records/journal-head.ts';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { writeFileWhole } from '../../src/records/write-file-whole.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { VERSION } from '../../src/version.ts';
import { FAULT_SEED, faultPoints } from '../support/fault-points.ts';
import { aRunPlan, bytesOf, merged } from '../pool/a-run.ts';
import { FakeDisk } from './fixtures/fake-disk.ts';
import { compileFake } from '../pool/fixtures/fake-program.ts';

const FILE = '/run/run.journal';
const plan = aRunPlan([{ trials: 5 * 4096 + 7, failEvery: 0 }, { trials: 2 * 4096, failEvery: 3 }, { trials: 1 }]);
const HEAD: JournalHead = {
  identity: { passk: VERSION, seed: 0, bail: 0, plugins: [], scenarios: [] },
  shard: null,
};

/** Gives each block on its own, until it is told to stop; `ran` lists what it was asked for. */
function blockByBlock(ran: string[] = [], most = Number.POSITIVE_INFINITY): Executor {
  return {
    async *run(given, { blocks = spansOf(given), bail = false } = {}) {
      for (const { scenario, fromBlock, toBlock } of blocks) {
        const scenarioPlan = given.scenarios[scenario];
        if (scenarioPlan === undefined) throw new Error('No such scenario.');
        const program = await compileFake(scenarioPlan, { plugins: [], callHost: null });
        for (let block = fromBlock; block < toBlock; block++) {
          if (ran.length >= most) return;
          ran.push(`${scenario}:${block}`);
          const { from, to } = trialsOf(scenarioPlan, block, block + 1);
          const tally = program.newTally();
          program.run(from, to, tally);
          yield { scenario, fromBlock: block, toBlock: block + 1, tally: encodeTally(tally) };
          if (bail && tally.failed > 0) return;
        }
      }
    },
    close: async () => undefined,
  };
}

interface Ran {
  readonly deltas: readonly Delta[];
  readonly notices: readonly string[];
  readonly error: unknown;
}

/** One run with a journal on this disk, that may be stopped or fail. */
async function runOn(
  disk: FakeDisk,
  executor: Executor,
  { resume = true, head = HEAD, given = plan as RunPlan, bail = 0, close = true } = {},
): Promise<Ran> {
  const deltas: Delta[] = [];
  const notices: string[] = [];
  try {
    const onNotice = (text: string): void => void notices.push(text);
    const journal = await openJournal({ folder: '/run', resume, head, onNotice, files: disk });
    try {
      for await (const delta of journaled(executor, journal).run(given, { bail })) deltas.push(delta);
    } finally {
      if (close) await journal.close();
    }
    return { deltas, notices, error: null };
  } catch (error) {
    return { deltas, notices, error };
  }
}

async function undisturbed(): Promise<string[]> {
  const deltas: Delta[] = [];
  for await (const delta of blockByBlock().run(plan)) deltas.push(delta);
  return bytesOf(merged(plan, deltas));
}

describe('a journal', () => {
  test('lets a run that was stopped go on where it was, with the same bytes', async () => {
    const disk = new FakeDisk(() => 0);
    const first: string[] = [];
    await runOn(disk, blockByBlock(first, 4));
    const second: string[] = [];
    const { deltas, notices } = await runOn(disk, blockByBlock(second));
    expect(first).toEqual(['0:0', '0:1', '0:2', '0:3']);
    expect(second).toEqual(['0:4', '0:5', '1:0', '1:1', '2:0']);
    expect(notices).toEqual(['16384 trials are in the journal; 12296 are left to run.']);
    expect(bytesOf(merged(plan, deltas))).toEqual(await undisturbed());
  });

  test('of a finished run gives its results at once', async () => {
    const disk = new FakeDisk(() => 0);
    await runOn(disk, blockByBlock());
    const again: string[] = [];
    const { deltas, notices } = await runOn(disk, blockByBlock(again));
    expect(again).toEqual([]);
    expect(notices).toEqual(['The journal has all 28680 trials; nothing was run again.']);
    expect(bytesOf(merged(plan, deltas))).toEqual(await undisturbed());
  });

  test('of a run that stopped at its first failure ends there again', async () => {
    const head = { ...HEAD, identity: { ...HEAD.identity, bail: 1 } };
    const whole: Delta[] = [];
    for await (const delta of blockByBlock().run(plan, { bail: 1 })) whole.push(delta);
    for (const stop of [3, 7, 100]) {
      const disk = new FakeDisk(() => 0);
      await runOn(disk, blockByBlock([], stop), { bail: 1, head });
      const { deltas, error } = await runOn(disk, blockByBlock(), { bail: 1, head });
      expect({ deltas, error }).toEqual({ deltas: whole, error: null });
    }
  });

  test(
    'survives any number of power cuts, full disks and disk errors: the last run gives the same bytes',
    async () => {
      const expected = await undisturbed();
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.nat()),
          fc.array(
            fc.record({
              stopAfter: fc.nat(9),
              faultAt: fc.nat(40),
              code: fc.constantFrom('ENOSPC' as const, 'EIO' as const),
              mostBytes: fc.integer({ min: 1, max: 2000 }),
              power: fc.boolean(),
            }),
            { minLength: 1, maxLength: 5 },
          ),
          async (stream, rounds) => {
            const disk = new FakeDisk(() => stream.next().value ?? 0);
            for (const { stopAfter, faultAt, code, mostBytes, power } of rounds) {
              disk.faults = [{ at: disk.operationCount + faultAt, code }];
              disk.mostBytes = mostBytes;
              const { error } = await runOn(disk, blockByBlock([], stopAfter), { close: !power });
              if (error !== null) expect(error).toMatchObject({ code: 'OUTPUT' });
              if (power) disk.cutPower();
            }
            disk.faults = [];
            const { deltas, error } = await runOn(disk, blockByBlock());
            expect(error).toBe(null);
            expect(bytesOf(merged(plan, deltas))).toEqual(expected);
          },
        ),
        { numRuns: faultPoints(60), seed: FAULT_SEED },
      );
    },
    120_000 + 1_000 * faultPoints(60),
  );

  test('that was closed loses nothing to a power cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat(8), async (stream, stopAfter) => {
        const disk = new FakeDisk(() => stream.next().value ?? 0);
        await runOn(disk, blockByBlock([], stopAfter));
        disk.cutPower();
        const ran: string[] = [];
        await runOn(disk, blockByBlock(ran));
        expect(ran.length).toBe(9 - stopAfter);
      }),
      { numRuns: 30 },
    );
  });

  test(
    'with any byte changed or cut off is mended: what is sound counts, the rest is run again',
    async () => {
      const expected = await undisturbed();
      const disk = new FakeDisk(() => 0);
      await runOn(disk, blockByBlock());
      const bytes = disk.bytesOf(FILE);
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, change) => {
          const damaged = new FakeDisk(() => 0);
          const copy = bytes.slice();
          copy[at] = (copy[at] as number) ^ change;
          damaged.set(FILE, change === 0 ? copy.slice(0, at) : copy);
          const { deltas, notices, error } = await runOn(damaged, blockByBlock());
          expect(error).toBe(null);
          expect(notices.length).toBeGreaterThan(0);
          expect(bytesOf(merged(plan, deltas))).toEqual(expected);
        }),
        { numRuns: faultPoints(60), seed: FAULT_SEED },
      );
    },
    120_000 + 1_000 * faultPoints(60),
  );

  test('that ends in the middle of a record or is damaged says where', async () => {
    const disk = new FakeDisk(() => 0);
    await runOn(disk, blockByBlock([], 2));
    const bytes = disk.bytesOf(FILE);
    disk.set(FILE, bytes.slice(0, -5));
    expect((await runOn(disk, blockByBlock([], 0))).notices[0]).toMatch(
      /^The journal \/run\/run\.journal ends in the middle of a record \d+ bytes from its start; what followed is run again\.$/,
    );
    disk.set(FILE, Buffer.concat([bytes, new Uint8Array(300)]));
    expect((await runOn(disk, blockByBlock([], 0))).notices[0]).toBe(
      `The journal /run/run.journal is damaged ${bytes.length} bytes from its start; what followed is run again.`,
    );
    // Mended once, there is nothing left to say.
    expect((await runOn(disk, blockByBlock([], 0))).notices).toEqual([expect.stringMatching(/are in the journal/)]);
    disk.set(FILE, new Uint8Array(300));
    expect((await runOn(disk, blockByBlock([], 0))).notices[0]).toBe(
      'The journal /run/run.journal is damaged from its start, and kept as /run/run.journal.damaged; everything is run again.',
    );
  });

  test('of another run is refused with what differs, and kept', async () => {
    const disk = new FakeDisk(() => 0);
    await runOn(disk, blockByBlock([], 2));
    const before = disk.bytesOf(FILE);
    const seed = { ...HEAD, identity: { ...HEAD.identity, seed: 7 } };
    const part = { ...HEAD, shard: { index: 2, count: 3 } };
    const messages = [
      await runOn(disk, blockByBlock(), { head: seed }),
      await runOn(disk, blockByBlock(), { head: part }),
      await runOn(disk, blockByBlock(), { resume: false }),
    ].map(({ error }) => (error instanceof PasskError ? `${error.code}: ${error.message}` : error));
    expect(messages).toEqual([
      'INPUT: The journal /run/run.journal is of another run: its seed is 0, not 7.',
      'INPUT: The journal /run/run.journal is of another run: it is of a whole run, this is shard 2 of 3.',
      'USAGE: The journal /run/run.journal is of a run that has not finished.',
    ]);
    expect(disk.bytesOf(FILE)).toEqual(before);
  });

  test('of a finished run makes room for the next', async () => {
    const disk = new FakeDisk(() => 0);
    await runOn(disk, blockByBlock());
    const ran: string[] = [];
    const { error } = await runOn(disk, blockByBlock(ran), { resume: false });
    expect({ error, ran: ran.length }).toEqual({ error: null, ran: 9 });
  });

  test.each([
    ['something else', encodeFrame({ kind: 'passk-shard' }), 'is not a journal of passk'],
    [
      'a later format',
      encodeFrame({ kind: 'passk-journal', format: 9, digest: '0'.repeat(64), identity: '', index: 1, count: 1 }),
      'is of format 9; this passk reads format 4',
    ],
    [
      'the format before this one, whose counts stand in another order',
      encodeFrame({ kind: 'passk-journal', format: 1, digest: '0'.repeat(64), identity: '', index: 1, count: 1 }),
      'is of format 1; this passk reads format 4',
    ],
    [
      'a head that was put together',
      encodeFrame({ kind: 'passk-journal', format: 4, digest: '0'.repeat(64), identity: '{}', index: 1, count: 1 }),
      'does not fit together',
    ],
  ])('that is %s is refused', async (_, bytes, what) => {
    const disk = new FakeDisk(() => 0);
    disk.set(FILE, bytes);
    const { error } = await runOn(disk, blockByBlock());
    expect(error).toMatchObject({ code: 'INPUT', message: `/run/run.journal ${what}.` });
  });

  test('on a disk that fails once everything has run costs a notice, not the report', async () => {
    const disk = new FakeDisk(() => 0);
    let failing = false;
    const executor = blockByBlock();
    const { deltas, notices, error } = await runOn(disk, {
      ...executor,
      async *run(given, options) {
        yield* executor.run(given, options);
        failing = true;
        disk.faults = Array.from({ length: 50 }, (_, i) => ({ at: disk.operationCount + 1 + i, code: 'EIO' as const }));
      },
    });
    expect({ error, failing, notices }).toEqual({
      error: null,
      failing: true,
      notices: [
        'The journal cannot be written to /run/run.journal: the disk reports an error. The report is complete all the same.',
      ],
    });
    expect(bytesOf(merged(plan, deltas))).toEqual(await undisturbed());
  });

  test('on a disk that is full in the middle of a run ends it with the reason, and what it holds counts', async () => {
    const disk = new FakeDisk(() => 0);
    const executor = blockByBlock();
    const { deltas, error } = await runOn(disk, {
      ...executor,
      async *run(given, options) {
        let count = 0;
        for await (const delta of executor.run(given, options)) {
          if (++count === 3) disk.faults = [{ at: disk.operationCount + 1, code: 'ENOSPC' }];
          yield delta;
        }
      },
    });
    expect(error).toMatchObject({
      code: 'OUTPUT',
      message: 'The journal cannot be written to /run/run.journal: the disk is full.',
    });
    expect(deltas.length).toBe(2);
    const resumed = await runOn(disk, blockByBlock());
    expect(resumed.notices).toEqual(['8192 trials are in the journal; 20488 are left to run.']);
    expect(bytesOf(merged(plan, resumed.deltas))).toEqual(await undisturbed());
  });

  test('on a disk that takes few bytes at a time holds every result', async () => {
    const disk = new FakeDisk(() => 0);
    disk.mostBytes = 7;
    await runOn(disk, blockByBlock());
    const again: string[] = [];
    const { deltas, notices } = await runOn(disk, blockByBlock(again));
    expect({ again, notices }).toEqual({
      again: [],
      notices: ['The journal has all 28680 trials; nothing was run again.'],
    });
    expect(bytesOf(merged(plan, deltas))).toEqual(await undisturbed());
  });

  test('keeps through a power cut what was written a second ago', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // This disk loses all that was not synced.
    const disk = new FakeDisk(() => 0);
    await runOn(disk, blockByBlock([], 4), { close: false });
    await vi.advanceTimersByTimeAsync(1000);
    disk.cutPower();
    const { notices } = await runOn(disk, blockByBlock());
    expect(notices).toEqual(['16384 trials are in the journal; 12296 are left to run.']);
  });

  test('counts a block once that is delivered twice', async () => {
    const disk = new FakeDisk(() => 0);
    const executor = blockByBlock();
    const { deltas } = await runOn(disk, {
      ...executor,
      async *run(given, options) {
        for await (const delta of executor.run(given, options)) {
          yield delta;
          yield delta;
        }
      },
    });
    expect(bytesOf(merged(plan, deltas))).toEqual(await undisturbed());
    expect((await runOn(disk, blockByBlock())).notices).toEqual([
      'The journal has all 28680 trials; nothing was run again.',
    ]);
  });

  test('is written by one process at a time, and the lock of a dead one does not matter', async () => {
    const disk = new FakeDisk(() => 0);
    const { hostname } = await import('node:os');
    const lock = (pid: number): void => disk.set('/run/run.lock', Buffer.from(`${pid}  ${hostname()}\n`));
    lock(process.ppid);
    expect((await runOn(disk, blockByBlock())).error).toMatchObject({
      code: 'USAGE',
      message: `Process ${process.ppid} is writing this journal.`,
    });
    lock(2 ** 22 + 1);
    expect((await runOn(disk, blockByBlock())).error).toBe(null);
    expect(await disk.kindOf('/run/run.lock')).toBe('absent');
  });

  test('is written by one run of a process at a time, by whatever name', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'passk-lock-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    symlinkSync('journal', path.join(root, 'link'));
    const open = (name: string) =>
      openJournal({ folder: path.join(root, name), resume: true, head: HEAD, onNotice: () => undefined });
    const first = await open('journal');
    await expect(open('link')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'Another run of this process is writing this journal.',
    });
    await first.close();
    await (await open('link')).close();
  });

  test('is never locked without a name, and a lock that came in place of a dead one is put back', async () => {
    const { hostname } = await import('node:os');
    const textOf = (pid: number): Uint8Array => Buffer.from(`${pid}  ${hostname()}\n`);
    const seen: string[] = [];
    class Watched extends FakeDisk {
      override async open(file: string, flags: 'wx' | 'r+' | 'w') {
        const target = await super.open(file, flags);
        if (!file.includes('run.lock')) return target;
        const write: typeof target.write = async (bytes, position) => {
          seen.push(await this.kindOf('/run/run.lock'));
          return target.write(bytes, position);
        };
        return { ...target, write };
      }

      override async rename(from: string, to: string) {
        // Somebody else has taken the dead one's away, and locks the journal.
        if (from === '/run/run.lock') this.set(from, textOf(process.ppid));
        await super.rename(from, to);
      }

      override async link(file: string, name: string) {
        await super.link(file, name);
        if (Buffer.from(this.bytesOf(name)).equals(textOf(process.ppid))) {
          seen.push('put back');
          await this.remove(name);
        }
      }
    }
    const disk = new Watched(() => 0);
    disk.mostBytes = 4;
    await runOn(disk, blockByBlock());
    expect(new Set(seen)).toEqual(new Set(['absent']));
    disk.set('/run/run.lock', textOf(2 ** 22 + 1));
    expect((await runOn(disk, blockByBlock())).error).toBe(null);
    expect(seen).toContain('put back');
  });
});

test('a file is the old one or the new one after a power cut at any moment', async () => {
  const old = Uint8Array.of(1, 2, 3);
  const fresh = Uint8Array.from({ length: 100 }, (_, i) => i);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat(12), fc.boolean(), async (stream, faultAt, full) => {
      const disk = new FakeDisk(() => stream.next().value ?? 0);
      disk.set('/out/report.json', old);
      await disk.syncFolder('/out');
      disk.mostBytes = 30;
      disk.faults = [{ at: disk.operationCount + faultAt, code: full ? 'ENOSPC' : 'EIO' }];
      const written = await writeFileWhole('/out/report.json', fresh, disk).then(
        () => true,
        () => false,
      );
      disk.cutPower();
      const found = disk.bytesOf('/out/report.json');
      expect([old, fresh]).toContainEqual(found);
      if (written) expect(found).toEqual(fresh);
    }),
  );
});
