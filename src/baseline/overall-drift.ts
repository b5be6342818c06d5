import { pairedT } from '../stats/paired-t.ts';
import { signFlip } from '../stats/sign-flip.ts';
import type { OverallDrift, ScenarioDrift } from '../types/drift.ts';
import type { ComparedScenario } from './compared-run.ts';
import type { PairedScenarios } from './pair-scenarios.ts';

/** The suite as a whole, over scenarios of both runs: each counts once, however many trials it has (release-gate F-08). */
export function overallDrift(both: PairedScenarios['both'], scenarios: readonly ScenarioDrift[]): OverallDrift {
  const differences = scenarios.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  const mean = pairedT(differences);
  // Only where chance plays a part.
  const tested = scenarios.filter(({ test }) => test !== 'exact_repeat' && test !== 'constant');
  const floors = tested.flatMap(({ noiseFloor }) => (noiseFloor === null ? [] : [noiseFloor])).sort((a, b) => a - b);
  return {
    scenarios: scenarios.length,
    difference: mean?.mean ?? null,
    interval: mean?.interval ?? null,
    p: signFlip(differences, { seed: 0 })?.p ?? null,
    costPerSuccess: {
      before: costPerSuccess(both.map(({ before }) => before)),
      after: costPerSuccess(both.map(({ after }) => after)),
    },
    noiseFloor: {
      median: floors[Math.floor((floors.length - 1) / 2)] ?? null,
      worst: floors.at(-1) ?? null,
      blind: tested.length - floors.length,
    },
  };
}

/** Tokens of all trials over passing ones; null when none passed, or where a run does not say what it spent. */
function costPerSuccess(scenarios: readonly ComparedScenario[]): number | null {
  let tokens = 0;
  let passed = 0;
  for (const scenario of scenarios) {
    if (scenario.tokens === null && scenario.trials > 0) return null;
    tokens += scenario.tokens?.total ?? 0;
    passed += scenario.passed;
  }
  return passed === 0 ? null : tokens / passed;
}
