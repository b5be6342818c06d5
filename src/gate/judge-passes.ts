import type { Gate, GateResult } from '../types/reports/gate.ts';
import { metricNamed } from './gate-metrics.ts';
import { gateResult } from './judge-gate.ts';
import { isAboutThese, meanOfParts } from './mean-of-parts.ts';
import { type NoReading, type Reading, readPasses } from './reading.ts';
import { taskParts } from './task-parts.ts';

/** What the trials of one scenario gave. */
export interface PassCounts {
  readonly trials: number;
  readonly passed: number;
  /** Trials without a result: they count both ways. */
  readonly errors: number;
}

/** True: the gate is about passes alone, so that counts of trials answer it. */
export function asksPasses({ metric }: Gate): boolean {
  return metricNamed(metric)?.source.from === 'passes';
}

/** The gate's answer over these scenarios as a whole. Throws `RangeError` for a gate that is not about passes. */
export function judgePasses(gate: Gate, scenarios: readonly PassCounts[]): GateResult {
  const metric = metricNamed(gate.metric);
  if (metric?.source.from !== 'passes') throw new RangeError(`"${gate.text}" is not about passes.`);
  const { scope } = gate;
  return gateResult(gate, metric, scope.kind === 'scenario' ? scope.name : null, readAll(gate, scenarios));
}

function readAll(gate: Gate, scenarios: readonly PassCounts[]): Reading | NoReading {
  const [only] = scenarios;
  if (only === undefined) {
    return {
      verdict: 'insufficient',
      why: gate.scope.kind === 'scenario' ? 'is not among the scenarios' : 'has no scenario',
    };
  }
  // A single scenario is the suite.
  if (scenarios.length === 1 && (isAboutThese(gate.side) || gate.side.kind === 'point')) {
    const { trials: all, passed, errors } = only;
    const counts = {
      passed,
      failed: all - passed - errors,
      broken: errors,
      missing: 0,
      ran: all,
      all,
      unknown: errors,
    };
    return readPasses(gate, counts, false);
  }
  const histogram = scenarios.map((counts) => ({ tasks: 1, ...counts }));
  const parts = taskParts(gate, { histogram, errors: { policy: 'block' } });
  return 'why' in parts ? parts : meanOfParts(parts, gate.side, 'scenario');
}
