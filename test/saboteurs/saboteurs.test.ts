import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withBaselines } from '../../src/suite/contract-baselines.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { requireLoaded } from '../../src/suite/require-loaded.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { engineModules, plant } from './build-engine.ts';
import { bundleFolder, type Hunter, openHunter } from './hunt.ts';
import { type Kill, renderKillMatrix } from './kill-matrix.ts';
import { saboteurs } from './saboteurs.ts';
import type { Hunt, Planted, Sighting } from './sighting.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_TRIALS = 64;
/** Runs every scenario against every saboteur and prints who noticed whom; else the first who notices is enough. */
const isThorough = process.env['PASSK_KILL_MATRIX'] !== undefined;

const bundles = bundleFolder();
let task: Hunt;
let hunters: readonly Hunter[] = [];
let planted: readonly Planted[] = [];
/** Why a saboteur proves nothing. */
const useless: string[] = [];
let real: readonly (Sighting | undefined)[] = [];
/** By planted defect, the scenarios that come to the code which it changes on the real engine. */
let visitors: readonly ReadonlySet<number>[] = [];
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
  planted = await plantAll();
  const scenarios = task.plans.map((_, position) => position);
  const spots = planted.map(({ spot }) => spot);
  // Code that V8 has once counted stays slower, so this thread hunts nothing afterwards.
  const scout = await openHunter(task, { folder: bundles.folder, number: numbers.length });
  const found = await scout.look(null, { scenarios, real: null, isThorough: true, spots });
  await scout.close();
  real = found.sightings;
  visitors = found.visitors.map((positions) => new Set(positions));
  order = scenarios.toSorted((a, b) => (found.tookMs[a] ?? 0) - (found.tookMs[b] ?? 0));
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

async function plantAll(): Promise<readonly Planted[]> {
  const tries = await Promise.allSettled(saboteurs.map((saboteur) => plant(saboteur, task.modules)));
  for (const tried of tries) if (tried.status === 'rejected') useless.push(String(tried.reason));
  return tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []));
}

async function killAll(): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  const expected = real.map((seen) => seen ?? NOTHING);
  let next = 0;
  const work = async (hunter: Hunter): Promise<void> => {
    for (let index = next++; index < planted.length; index = next++) {
      const one = planted[index];
      if (one === undefined) return;
      try {
        const { killers } = await hunter.look(one, { scenarios: suspects(index), real: expected, isThorough });
        kills[index] = { saboteur: one.saboteur, killers };
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

/** Every scenario, and first those that come to the code which a planted defect changes: only they are likely to notice. */
function suspects(defect: number): readonly number[] {
  const come = (position: number): boolean => visitors[defect]?.has(position) === true;
  return [...order.filter(come), ...order.filter((position) => !come(position))];
}

const NOTHING: Sighting = { meetsBar: false, passed: [], observed: [] };
