import { COUNTERS } from '../src/types/trial.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import type { TrialProgram } from '../src/trial/program.ts';
import type { Bench, BenchOptions, Row } from './bench.ts';
import { buildNative, compareTotals, timeNative, timeSpecialised } from './native.ts';
import { runNaive } from './naive-interpreter.ts';
import { NaiveKept } from './naive-kept.ts';
import { alternate, processorTime, timePerOperation } from './pairs.ts';
import { blockRunner, firstOf, LINEAR20, planOf, programOf, ROUTE3 } from './subjects.ts';

/** Point 1: executed trials on one thread against the naive interpreter and against C. */
export const engineBench: Bench = {
  name: 'engine',
  about: 'executed trials on one thread: the engine, the naive interpreter, C over the same tables',
  async run(options) {
    const rows: Row[] = [];
    for (const definition of [ROUTE3, LINEAR20]) {
      const plan = firstOf(await planOf([definition]));
      const program = await programOf(plan);
      const steps = definition === ROUTE3 ? 2.25 : 20;
      rows.push(...(await againstNaive(plan, program, steps, options)), ...(await againstC(plan, program, options)));
    }
    return rows;
  },
};

async function againstNaive(
  plan: WorkflowPlan,
  program: TrialProgram,
  steps: number,
  { quick }: BenchOptions,
): Promise<readonly Row[]> {
  await compareWithNaive(plan, program);
  const { a, b, ratio } = await naivePairs(plan, program, { pairs: quick ? 3 : 9, ms: quick ? 60 : 250 });
  const { name } = plan.scenario;
  return [
    { name: `${name}: engine, per trial`, value: a, unit: 'ns' },
    { name: `${name}: engine, node visits`, value: (steps * 1e9) / a, unit: '/s' },
    { name: `${name}: naive interpreter, per trial`, value: b, unit: 'ns' },
    { name: `${name}: naive interpreter / engine`, value: ratio, unit: 'x', atLeast: 40 },
  ];
}

/** Nanoseconds per trial of the engine (a) and the naive interpreter (b), in alternation. */
export function naivePairs(
  plan: WorkflowPlan,
  program: TrialProgram,
  { pairs, ms }: { readonly pairs: number; readonly ms: number },
) {
  const engine = blockRunner(program, 32);
  const kept = new NaiveKept();
  let trial = 1;
  return alternate(
    pairs,
    () => timePerOperation(engine.trials, ms, () => engine.run()),
    async () => {
      const count = Math.ceil(ms * 20);
      const start = processorTime();
      for (let i = 0; i < count; i++) await runNaive(plan, trial++, kept);
      return (processorTime() - start) / count;
    },
  );
}

async function againstC(plan: WorkflowPlan, program: TrialProgram, { quick, folder }: BenchOptions) {
  const walk = buildNative(folder, 'walk');
  const { name } = plan.scenario;
  if (walk === null) {
    process.stderr.write(`bench: no C compiler (cc): ${name} is not compared with C\n`);
    return [];
  }
  compareTotals(walk, plan, program, 200_000);
  const engine = blockRunner(program, 32);
  const trials = quick ? 300_000 : 2_000_000;
  const { a, ratio } = await alternate(
    quick ? 3 : 9,
    () => timeNative(walk, plan, trials),
    () => timePerOperation(engine.trials, quick ? 60 : 250, () => engine.run()),
  );
  const rows: Row[] = [
    { name: `${name}: C over the same tables, per trial`, value: a, unit: 'ns', note: 'same totals in every column' },
    { name: `${name}: engine / C`, value: ratio, unit: 'x', atMost: 3 },
  ];
  const special = name === 'route3' ? buildNative(folder, 'route3') : null;
  if (special === null) return rows;
  const value = timeSpecialised(special, plan, trials * 5);
  return [...rows, { name: 'route3: C written for it, per trial', value, unit: 'ns' as const, note: 'not gated' }];
}

/** Throws unless engine and naive interpreter count the same. */
async function compareWithNaive(plan: WorkflowPlan, program: TrialProgram): Promise<void> {
  const trials = 400;
  const tally = program.newTally();
  program.run(0, trials, tally);
  const sums = COUNTERS.map(() => 0);
  let passed = 0;
  for (let trial = 0; trial < trials; trial++) {
    const outcome = await runNaive(plan, trial);
    if (outcome.status !== 'broken' && outcome.failedChecks.length === 0) passed++;
    for (const [at, name] of COUNTERS.entries()) sums[at] = (sums[at] ?? 0) + outcome.counters[name];
  }
  const same = passed === tally.passed && sums.every((sum, at) => sum === tally.counters[at]);
  if (!same) throw new Error(`${plan.scenario.name}: engine and naive interpreter count differently`);
}
