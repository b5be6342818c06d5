import { parentPort, workerData } from 'node:worker_threads';
import { meetsBar, meetsExactBar } from '../../src/gate/meets-bar.ts';
import type { buildProgram } from '../../src/trial/build-program.ts';
import type { ExactReport } from '../../src/types/reports/exact.ts';
import type { ScenarioPlan } from '../../src/types/plan.ts';
import { engineLoader } from './load-engine.ts';
import type { Findings, Hunt, Order, Sighting } from './sighting.ts';
import { watchSpots } from './visited-spots.ts';

// Runs in a worker thread and loads one engine after the other. Each may be broken in any way: it may throw, or never
// end, and then the thread is ended with it.

const { plans, trials, modules, root } = workerData as Hunt;
const load = engineLoader(modules, root);

parentPort?.on('message', async (given: Order) => {
  parentPort?.postMessage(await hunt(load(given.changed).buildProgram, given));
});

async function hunt(build: typeof buildProgram, order: Order): Promise<Findings> {
  const { scenarios, real, noticedBy, isThorough, spots = [] } = order;
  const sightings: (Sighting | undefined)[] = [];
  const tookMs: number[] = [];
  const killers: number[] = [];
  const visitors = spots.map((): number[] => []);
  const watch = spots.length === 0 ? null : watchSpots(spots);
  for (const scenario of scenarios) {
    const began = performance.now();
    const seen = await sight(build, plans[scenario] as ScenarioPlan);
    sightings[scenario] = seen;
    tookMs[scenario] = performance.now() - began;
    for (const spot of watch?.visited() ?? []) visitors[spot]?.push(scenario);
    const expected = real?.[scenario];
    if (expected === undefined || !notices(noticedBy, expected, seen)) continue;
    killers.push(scenario);
    if (!isThorough) break;
  }
  watch?.close();
  return { sightings, tookMs, killers, visitors };
}

/** Runs a scenario on both drivers: over tables where it can be, and node by node. */
async function sight(build: typeof buildProgram, plan: ScenarioPlan): Promise<Sighting> {
  try {
    const startClock = () => ({ elapsedUs: () => 0, alarm: () => () => undefined });
    const program = await build(plan, { plugins: [], callHost: null, startClock, effects: null });
    const count = Math.min(plan.trials, trials);
    const fast = program.newTally();
    program.run(0, count, fast);
    const plain = program.newTally();
    await program.runAsync(0, count, plain, { concurrency: 1 });
    const bar = plan.scenario.minPassRate;
    if (plan.sampler === 'exhaustive') return sightExact(fast.exact, bar, [fast.observedLow, fast.observedHigh]);
    return {
      meetsBar: meetsBar(fast.passed, count, bar) && meetsBar(plain.passed, count, bar),
      passed: [fast.passed, plain.passed],
      observed: [fast.observedLow, fast.observedHigh, plain.observedLow, plain.observedHigh],
    };
  } catch {
    return { meetsBar: false, passed: [], observed: [] };
  }
}

/** Of an enumeration, the numbers that a defect would change stand for those of trials that passed. */
function sightExact(text: string | null, bar: number | null, observed: readonly number[]): Sighting {
  const exact = text === null ? null : (JSON.parse(text) as ExactReport);
  if (exact === null) return { meetsBar: false, passed: [], observed: [] };
  const { leaves, passRate, failingSequences, failing, counters } = exact;
  const lengths = failing.map(({ answers }) => answers.length);
  return {
    meetsBar: meetsExactBar(exact, bar),
    passed: [leaves, passRate, failingSequences, counters.llmCalls, ...lengths],
    observed,
  };
}

function notices(noticedBy: Order['noticedBy'], expected: Sighting, seen: Sighting): boolean {
  switch (noticedBy) {
    case 'verdict':
      return expected.meetsBar && !seen.meetsBar;
    case 'passed':
      return differ(expected.passed, seen.passed);
    case 'observed':
      return differ(expected.observed, seen.observed);
  }
}

function differ(expected: readonly number[], seen: readonly number[]): boolean {
  return expected.some((number, position) => number !== seen[position]);
}
