import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CanaryMachine } from '../../src/canary/canary-machine.ts';
import type { CanaryPlan, CanaryStageRules } from '../../src/types/canary/canary-plan.ts';
import type { CanaryOutcome } from '../../src/types/canary/outcome.ts';
import { aFolder } from '../cli/run-passk.ts';

/** Rules of a stage, those of F-17 where nothing else is said. */
export function aStage(rules: Partial<CanaryStageRules> = {}): CanaryStageRules {
  return {
    percent: 0,
    minOutcomes: 100,
    maxOutcomes: 5000,
    minHours: 0,
    maxHours: null,
    minPassRate: 0.95,
    k: 4,
    minPassHatK: null,
    maxDrop: null,
    maxCostPerSuccess: null,
    maxLatencyMs: null,
    maxSlow: 0.05,
    maxErrorRate: 0.02,
    ...rules,
  };
}

export function aPlan(plan: Partial<CanaryPlan> = {}): CanaryPlan {
  return {
    candidate: '2',
    baseline: null,
    tier: 'dev',
    level: 0.95,
    lookEvery: 10,
    maxViolations: 0,
    maxCostPerOutcome: null,
    release: null,
    stages: [0, 5, 25, 100].map((percent) => aStage({ percent })),
    ...plan,
  };
}

/** Long after every outcome. */
export const NOW = Date.UTC(2026, 10, 26);
export const START = Date.UTC(2026, 10, 1);

/** An outcome of the candidate that passed, a second after the one before it. */
export function anOutcome(number: number, fields: Partial<CanaryOutcome> = {}): CanaryOutcome {
  return {
    id: `r${number}`,
    atMs: START + number * 1000,
    arm: 'candidate',
    version: '2',
    passed: true,
    violation: null,
    costUsd: null,
    latencyMs: null,
    key: null,
    percent: null,
    ...fields,
  };
}

/** The same as a line of a file. */
export function aLine(number: number, fields: Readonly<Record<string, unknown>> = {}): string {
  const at = new Date(START + number * 1000).toISOString();
  return JSON.stringify({ id: `r${number}`, at, arm: 'candidate', version: '2', passed: true, ...fields });
}

/** A machine that was given so many outcomes in one step. */
export function afterStep(
  plan: CanaryPlan,
  outcomes: number,
  fieldsOf: (number: number) => Partial<CanaryOutcome> = () => ({}),
): CanaryMachine {
  const machine = new CanaryMachine(plan);
  takeStep(machine, { from: 0, outcomes, fieldsOf });
  return machine;
}

export function takeStep(
  machine: CanaryMachine,
  {
    from,
    outcomes,
    fieldsOf = () => ({}),
  }: {
    readonly from: number;
    readonly outcomes: number;
    readonly fieldsOf?: (number: number) => Partial<CanaryOutcome>;
  },
): void {
  for (let i = from; i < from + outcomes; i++) machine.takeOutcome(anOutcome(i, fieldsOf(i)), NOW);
  machine.endStep();
}

/** A folder with these files that goes away with the test. */
export function aFolderWith(files: Readonly<Record<string, string>>): string {
  const folder = aFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}
