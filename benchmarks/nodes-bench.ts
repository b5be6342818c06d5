import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileJsonSchema } from '../src/engine/compile-json-schema.ts';
import { startClock } from '../src/pool/start-clock.ts';
import { compileTrial } from '../src/trial/compile-trial.ts';
import { builtinRegistry } from '../src/trial/registry.ts';
import type { TrialProgram } from '../src/trial/program.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import type { Bench, Row } from './bench.ts';
import { CHILD_FILE, CHILD_TEXT, NODE_SUBJECTS, type NodeSubject } from './node-subjects.ts';
import { alternate, timePerOperation } from './pairs.ts';
import { firstOf, planOf } from './subjects.ts';

const [SMALL, LARGE] = [1_000, 100_000];

/** Point 8: what each node type costs, and that its cost does not grow with what it handles. */
export const nodesBench: Bench = {
  name: 'nodes',
  about: 'per node type: a whole trial, with payloads of 1 KB and 100 KB, against the same steps without tables',
  async run({ quick, folder }) {
    writeFileSync(path.join(folder, CHILD_FILE), CHILD_TEXT);
    const rows: Row[] = [];
    const pairs = quick ? 3 : 7;
    for (const subject of NODE_SUBJECTS) {
      const small = await planFor(subject, SMALL, folder);
      const tables = sampler(compile(small, true), quick);
      const walk = sampler(compile(small, false), quick);
      const { a, ratio } = await alternate(pairs, tables, walk);
      rows.push({ name: `${subject.name}: trial with ${subject.visits} of them`, value: a, unit: 'ns' });
      rows.push({ name: `${subject.name}: without tables / engine`, value: ratio, unit: 'x' });
      if (!subject.sized) continue;
      const large = sampler(compile(await planFor(subject, LARGE, folder), true), quick);
      const sizes = await alternate(pairs, tables, large);
      // A value that is read, copied or parsed again on every trial would show here as tens to a hundred.
      rows.push({ name: `${subject.name}: 100 KB / 1 KB`, value: sizes.ratio, unit: 'x', atMost: 1.5 });
    }
    return rows;
  },
};

async function planFor(subject: NodeSubject, bytes: number, cwd: string): Promise<WorkflowPlan> {
  const plan = firstOf(await planOf([subject.scenario(bytes)], { cwd }));
  const program = compile(plan, true);
  const tally = program.newTally();
  program.run(0, 256, tally);
  // What is measured must be what is meant.
  if (tally.passed !== 256) throw new Error(`${subject.name}: ${256 - tally.passed} of 256 trials do not pass`);
  return plan;
}

function compile(plan: WorkflowPlan, useTables: boolean): TrialProgram {
  const tools = { registry: builtinRegistry, compileSchema: compileJsonSchema, callHost: null, startClock, useTables };
  return compileTrial(plan, tools);
}

/** Nanoseconds per trial; as many trials a call as take a millisecond or more. */
function sampler(program: TrialProgram, quick: boolean): () => Promise<number> {
  const tally = program.newTally();
  let trials = 64;
  let from = 1;
  const run = (): void => {
    program.run(from, from + trials, tally);
    from = from > 2 ** 31 ? 1 : from + trials;
  };
  for (let took = 0; took < 2; trials *= 2) {
    const start = performance.now();
    run();
    took = performance.now() - start;
  }
  const ms = quick ? 30 : 120;
  return () => timePerOperation(trials, ms, run);
}
