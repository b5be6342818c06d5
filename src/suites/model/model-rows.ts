import type { ModelSuite } from '../../types/model-suite.ts';
import { type ProgressRow, ROW_STATES, type RowState } from '../../types/progress.ts';
import type { PartProgress } from '../suite-kind.ts';

type Counts = { [State in RowState]: number };

/** A line for each model of each spec file, in their order, with the trials of its tests. */
export function modelRows(suites: readonly ModelSuite[], parts: readonly PartProgress[]): readonly ProgressRow[] {
  const rows = new Map<string, { readonly name: string; readonly counts: Counts; readonly isAsked: boolean }>();
  for (const { name: suite, models, missingEnv } of suites) {
    for (const { name: model, tests } of models) {
      const counts = noCounts();
      if (missingEnv.length > 0) counts.skipped = tests.length;
      rows.set(keyOf(suite, model), { name: rowName(suite, model), counts, isAsked: missingEnv.length > 0 });
    }
  }
  const rowKeys = new Set<string>();
  for (const part of parts) {
    const of = part.plan.scenario.part;
    if (of?.kind !== 'model') continue;
    const key = keyOf(of.of, of.model);
    const row = rows.get(key);
    if (row === undefined) continue;
    rowKeys.add(key);
    addPart(row.counts, part);
  }
  // What the run's filters left out has no line.
  return [...rows].flatMap(([key, { name, counts, isAsked }]) =>
    isAsked || rowKeys.has(key) ? [{ name, counts }] : [],
  );
}

function addPart(counts: Counts, { plan, passed, failed, broken, errored, timedOut, retries, running }: PartProgress) {
  const done = passed + failed + broken;
  const isFlaky = done === plan.trials && passed === done && retries > 0;
  counts[isFlaky ? 'flaky' : 'passed'] += passed;
  counts.failed += failed - errored - timedOut;
  counts.timed_out += timedOut;
  counts.error += errored + broken;
  const left = Math.max(0, plan.trials - done);
  const inFlight = Math.min(left, running);
  counts.running += inFlight;
  counts.waiting += left - inFlight;
}

/** Most plug-ins stand before the / of their models' names already. */
function rowName(suite: string, model: string): string {
  return suite === model || model.startsWith(`${suite}/`) ? model : `${suite}: ${model}`;
}

function noCounts(): Counts {
  return Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Counts;
}

function keyOf(suite: string, model: string): string {
  return JSON.stringify([suite, model]);
}
