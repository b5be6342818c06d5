import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { createHybridExecutor } from '../../src/pool/hybrid-executor.ts';
import { KeptServers } from '../../src/pool/kept-servers.ts';
import { startClock } from '../../src/pool/start-clock.ts';
import { verdictsOf } from '../../src/pool/tally/tally-codec.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { buildProgram } from '../../src/trial/build-program.ts';
import { askingOnce, aServer, notesIn } from '../effects/granted/an-mcp-server.ts';
import { allGone } from '../support/processes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-kept-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['thread', 'process'] as const)(
  'pieces of one run share the servers of a worker (%s), which end with the run, before another run, and with the executor',
  async (isolation) => {
    const log = path.join(folder, isolation);
    const options = resolveRunOptions({
      scenarios: [askingOnce(aServer('good', { log }), 3)],
      permissions: { run: [process.execPath] },
    });
    const input = await loadFor(options);
    const plan = planRun({ ...input, scenarios: input.suite.scenarios }, options);
    const executor = createHybridExecutor({
      workers: 1,
      isolation,
      compile: (one, services) => buildProgram(one, { ...services, startClock, effects: null }),
    });
    const pids = (): readonly number[] => notesIn(log, 'start').map(Number);
    const piece = async (keptServers: KeptServers, trial: number): Promise<void> => {
      const blocks = [{ scenario: 0, fromBlock: trial, toBlock: trial + 1 }];
      const verdicts: unknown[] = [];
      for await (const { tally } of executor.run(plan, { blocks, keptServers })) {
        verdicts.push(verdictsOf(tally));
      }
      expect(verdicts).toEqual([expect.objectContaining({ failed: 0, broken: 0 })]);
    };
    const ends = [new AbortController(), new AbortController(), new AbortController()] as const;
    const [one, other, last] = ends.map(({ signal }) => new KeptServers(signal)) as [
      KeptServers,
      KeptServers,
      KeptServers,
    ];
    try {
      for (const trial of [0, 1, 2]) await piece(one, trial);
      expect(pids()).toHaveLength(1);
      await piece(other, 0);
      expect(pids()).toHaveLength(2);
      expect(await allGone(pids().slice(0, 1))).toBe(true);
      // No piece of it comes any more, which must not end those of the run that the worker has turned to.
      ends[0].abort();
      await piece(other, 1);
      expect(pids()).toHaveLength(2);
      ends[1].abort();
      expect(await allGone(pids())).toBe(true);
      await piece(last, 0);
      expect(pids()).toHaveLength(3);
    } finally {
      await executor.close();
    }
    expect(await allGone(pids())).toBe(true);
  },
);
