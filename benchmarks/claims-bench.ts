import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { BlockGrid, spansOf } from '../src/pool/blocks/block-grid.ts';
import { claimBlocks, createControl } from '../src/pool/control.ts';
import { decodeTally, encodeTally } from '../src/pool/tally/tally-codec.ts';
import { createWorkersExecutor } from '../src/pool/workers-executor.ts';
import type { ScenarioDefinition } from '../src/scenario/objects/define-scenario.ts';
import type { RunPlan, ScenarioPlan } from '../src/types/plan.ts';
import type { Bench, Row } from './bench.ts';
import { median, timePerOperation } from './pairs.ts';
import { type ClaimCosts, simulateClaims } from './simulate-claims.ts';
import { blockRunner, firstOf, planOf, programOf, ROUTE3 } from './subjects.ts';

/** Point 7: a mixed corpus keeps all workers busy to the end; what many workers would do. */
export const claimsBench: Bench = {
  name: 'claims',
  about: 'one scenario with 10^7 trials and 500 with 10: idle share at the tail, measured and simulated',
  async run({ quick, folder }) {
    const rows: Row[] = [];
    for (const first of ['large', 'small'] as const) {
      const plan = await mixedPlan(first);
      const shares = await measureIdle(plan, folder, quick ? 3 : 9);
      rows.push({
        name: `two workers, the ${first} first: idle at the tail`,
        value: shares * 100,
        unit: '%',
        atMost: 3,
      });
      const costs = await measureCosts(plan);
      if (first === 'large') rows.push(...showCosts(costs));
      const grid = new BlockGrid(spansOf(plan));
      for (const workers of [2, 16, 64, 192]) {
        const { tailIdle, speedup, host } = simulateClaims(grid, workers, costs);
        rows.push({
          name: `simulated, ${workers} workers, the ${first} first: idle at the tail`,
          value: tailIdle * 100,
          unit: '%',
          note: `${speedup.toFixed(1)}x one worker, host busy ${(host * 100).toFixed(1)} %`,
        });
      }
    }
    rows.push(...(await largeRun()));
    return rows;
  },
};

/** The same for a run that is worth so many workers: 10^10 trials. */
async function largeRun(): Promise<readonly Row[]> {
  const plan = await planOf([ROUTE3], { trials: 4_000_000_000 });
  const costs = await measureCosts(plan);
  const grid = new BlockGrid(spansOf(plan));
  return [16, 64, 192].map((workers) => {
    const { tailIdle, speedup, host } = simulateClaims(grid, workers, costs);
    return {
      name: `simulated, ${workers} workers, 4 x 10^9 trials: idle at the tail`,
      value: tailIdle * 100,
      unit: '%',
      note: `${speedup.toFixed(1)}x one worker, host busy ${(host * 100).toFixed(1)} %`,
    };
  });
}

async function mixedPlan(first: 'large' | 'small'): Promise<RunPlan> {
  const small = Array.from(
    { length: 500 },
    (_, index): ScenarioDefinition => ({ ...ROUTE3, name: `small-${index}`, trials: 10 }),
  );
  const large: ScenarioDefinition = { ...ROUTE3, name: 'large', trials: 10_000_000 };
  return planOf(first === 'large' ? [large, ...small] : [...small, large]);
}

/** Median share of worker time between a worker's last moment of work and the last one's. */
async function measureIdle(plan: RunPlan, folder: string, runs: number): Promise<number> {
  const channel = new BroadcastChannel('passk-bench-tasks');
  let tasks: { readonly from: number; readonly to: number }[] = [];
  channel.onmessage = (event) => {
    tasks.push((event as { readonly data: { readonly from: number; readonly to: number } }).data);
  };
  const executor = createWorkersExecutor({
    workers: 2,
    workerUrl: pathToFileURL(path.join(folder, 'timed-worker.js')),
  });
  const shares: number[] = [];
  try {
    for (let run = -1; run < runs; run++) {
      tasks = [];
      for await (const delta of executor.run(plan)) if (delta.tally.length === 0) throw new Error('an empty delta');
      while (tasks.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      const last = Math.max(...tasks.map(({ to }) => to));
      const first = Math.min(...tasks.map(({ from }) => from));
      const idle = tasks.reduce((sum, { to }) => sum + (last - to), 0);
      if (run >= 0) shares.push(idle / (tasks.length * (last - first)));
    }
  } finally {
    channel.close();
    await executor.close();
  }
  return median(shares);
}

async function measureCosts(plan: RunPlan): Promise<ClaimCosts> {
  const scenario = plan.scenarios.reduce((most, next) => (next.trials > most.trials ? next : most), firstOf(plan));
  const program = await programOf(scenario);
  const runner = blockRunner(program, 32);
  const trial = (await timePerOperation(runner.trials, 100, () => runner.run())) / 1e6;
  const tally = program.newTally();
  program.run(0, 10, tally);
  const bytes = encodeTally(tally);
  const into = program.newTally();
  const delta = await timePerOperation(100, 50, () => {
    for (let i = 0; i < 100; i++) into.merge(decodeTally(bytes, program.shape));
  });
  const control = createControl({ workers: 2, total: 2 ** 30, maxClaim: 1 });
  const claim = await timePerOperation(10_000, 50, () => {
    for (let i = 0; i < 10_000; i++) claimBlocks(control, 0);
  });
  const prepare = await timePerOperation(50, 50, async () => {
    for (let i = 0; i < 50; i++) await programOf(scenario);
  });
  const sizes = plan.scenarios.map((part: ScenarioPlan) => Math.min(part.trials, part.blockSize));
  return {
    block: (at) => (sizes[at] ?? 0) * trial,
    prepare: prepare / 1e6,
    claim: claim / 1e6,
    delta: delta / 1e6,
    // Warm workers; cold ones start within tens of milliseconds of each other.
    start: 0,
  };
}

function showCosts(costs: ClaimCosts): readonly Row[] {
  return [
    { name: 'cost: block of 4,096 trials', value: costs.block(0) * 1000, unit: 'us' },
    { name: 'cost: compile a scenario', value: costs.prepare * 1000, unit: 'us' },
    { name: 'cost: claim', value: costs.claim * 1e6, unit: 'ns' },
    { name: 'cost: delta of a small scenario, decode and merge', value: costs.delta * 1000, unit: 'us' },
  ];
}
