import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withBaselines } from '../../src/suite/contract-baselines.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { requireLoaded } from '../../src/suite/require-loaded.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan.ts';
import { engineModules } from './build-engine.ts';
import { bundleFolder, type Hunter, openHunter } from './hunt.ts';
import { type Kill, renderKillMatrix } from './kill-matrix.ts';
import { saboteurs } from './saboteurs.ts';
import type { Hunt, Sighting } from './sighting.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_TRIALS = 64;
/** Runs every scenario against every saboteur and prints who noticed whom; else the first who notices is enough. */
const isThorough = process.env['PASSK_KILL_MATRIX'] !== undefined;

const bundles = bundleFolder();
let task: Hunt;
let hunters: readonly Hunter[] = [];
let real: readonly (Sighting | undefined)[] = [];
/** Positions of scenarios: what noticed something lately comes first, what takes long comes last. */
let order: readonly number[] = [];

beforeAll(async () => {
  const options = resolveRunOptions({ paths: ['corpus'], cwd: ROOT });
  const input = await loadFor(options);
  requireLoaded(input, { keepGoing: false });
  const plan = await withBaselines(planRun({ ...input, scenarios: input.suite.scenarios }, options), options);
  // Mutated prompts of a contract are meant to fail here and there, and ask the same engine for the same things.
  const plans = plan.scenarios.filter(({ scenario }) => !scenario.name.includes(' (mutation): '));
  task = { plans, trials: MOST_TRIALS, modules: await engineModules(), root: ROOT };
  const numbers = Array.from({ length: Math.min(4, availableParallelism()) }, (_, number) => number);
  hunters = await Promise.all(numbers.map((number) => openHunter(task, { folder: bundles.folder, number })));
  const scenarios = task.plans.map((_, position) => position);
  const found = await hunters[0]?.look(null, { scenarios, real: null, isThorough: true });
  real = found?.sightings ?? [];
  order = scenarios.toSorted((a, b) => (found?.tookMs[a] ?? 0) - (found?.tookMs[b] ?? 0));
});

afterAll(async () => {
  await Promise.all(hunters.map((hunter) => hunter.close()));
  bundles.remove();
});

describe('the shipped corpus', () => {
  test('passes on the real engine', () => {
    const failed = task.plans.filter((_, index) => real[index]?.meetsBar !== true);
    expect(failed.map(({ scenario }) => scenario.name)).toEqual([]);
  });

  test('notices every saboteur', { timeout: 1_800_000 }, async () => {
    const kills = await killAll();
    const names = task.plans.map(({ scenario }) => scenario.name);
    if (isThorough) process.stdout.write(renderKillMatrix(kills, names));
    expect(kills.filter(({ killers }) => killers.length === 0).map(({ saboteur }) => saboteur.name)).toEqual([]);
  });
});

describe('the saboteurs', () => {
  test('are each of another kind', () => {
    const names = saboteurs.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

async function killAll(): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  const useless: string[] = [];
  let next = 0;
  const work = async (hunter: Hunter): Promise<void> => {
    for (let index = next++; index < saboteurs.length; index = next++) {
      const saboteur = saboteurs[index];
      if (saboteur === undefined) return;
      try {
        const expected = real.map((seen) => seen ?? NOTHING);
        const { killers } = await hunter.look(saboteur, { scenarios: order, real: expected, isThorough });
        kills[index] = { saboteur, killers };
        if (!isThorough) order = [...killers, ...order.filter((position) => !killers.includes(position))];
      } catch (error) {
        useless.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(hunters.map(work));
  expect(useless).toEqual([]);
  return kills;
}

const NOTHING: Sighting = { meetsBar: false, passed: [], observed: [] };
