import { type Baseline, BASELINE_FORMAT, type BaselineScenario } from '../../src/types/baseline.ts';
import type { ComparedRun } from '../../src/baseline/compared-run.ts';
import { runOfBaseline } from '../../src/baseline/read-baseline.ts';
import { encodeVerdicts } from '../../src/baseline/verdict-bits.ts';
import { COUNTERS, type CounterName } from '../../src/types/trial.ts';

export interface Verdicts {
  readonly trials?: number;
  /** Trials that fail; all others pass. */
  readonly failing?: readonly number[];
  readonly tokens?: number;
}

/** The trials from … to − 1. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** A scenario that draws, every trial of 100 tokens. */
export function aBaselineScenario(
  { trials = 8, failing = [], tokens = 100 }: Verdicts = {},
  changes: Partial<BaselineScenario> = {},
): BaselineScenario {
  const words = new Uint32Array(Math.ceil(trials / 32));
  const missing = new Set(failing);
  for (let trial = 0; trial < trials; trial++) {
    if (!missing.has(trial)) words[trial >>> 5] = (words[trial >>> 5] ?? 0) | (1 << (trial & 31));
  }
  const passed = trials - missing.size;
  const zeros = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Record<CounterName, number>;
  return {
    name: 'classify',
    file: 'corpus/classify.toml',
    sampler: 'seeded',
    words: [1, 2, 3, 4],
    digest: 'a'.repeat(64),
    pure: true,
    live: false,
    constant: false,
    trials,
    passed,
    failed: missing.size,
    broken: 0,
    whole: true,
    passRate: trials === 0 ? null : passed / trials,
    total: { ...zeros, llmCalls: trials, llmTokens: trials * tokens },
    tokensSquared: String(BigInt(trials) * BigInt(tokens) ** 2n),
    verdicts: encodeVerdicts(words),
    ...changes,
  };
}

export function aBaseline(scenarios: readonly BaselineScenario[], changes: Partial<Baseline> = {}): Baseline {
  return { format: BASELINE_FORMAT, passk: '0.1.0', seed: 0, scenarios, ...changes };
}

/** A run of these scenarios, as compared. */
export function aRun(scenarios: readonly BaselineScenario[], changes: Partial<Baseline> = {}): ComparedRun {
  return runOfBaseline(aBaseline(scenarios, changes), 'baseline.json');
}
