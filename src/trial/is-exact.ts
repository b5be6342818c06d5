import type { ExactReport } from '../types/reports/exact.ts';
import { COUNTERS, STATUSES } from '../types/trial.ts';
import { isRecord } from '../values/is-json.ts';

/** True: an `ExactReport` in every field that reports rely on. */
export function isExact(value: unknown): value is ExactReport {
  if (!isRecord(value)) return false;
  return (
    isCount(value.leaves) &&
    isChance(value.passRate) &&
    (value.passRateFraction === null || typeof value.passRateFraction === 'string') &&
    isChance(value.brokenRate) &&
    isList(value.passHatK, ({ k, value: chance }) => isCount(k) && isChance(chance)) &&
    [value.costPerSuccess, value.callsPerSuccess].every((cost) => cost === null || isMeasure(cost)) &&
    holdsAll(value.counters, COUNTERS, isMeasure) &&
    holdsAll(value.statuses, STATUSES, isChance) &&
    isList(value.checks, ({ check, chance }) => typeof check === 'string' && isChance(chance)) &&
    isList(value.failing, isFailing) &&
    isCount(value.failingSequences)
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isFailing({ answers, chance, leaves, checks, leaf }: Fields): boolean {
  return (
    isList(
      answers,
      ({ turn, occurrence, variant }) => typeof turn === 'string' && isCount(occurrence) && isCount(variant),
    ) &&
    isChance(chance) &&
    isCount(leaves) &&
    Array.isArray(checks) &&
    checks.every((check) => typeof check === 'string') &&
    isCount(leaf)
  );
}

function holdsAll(value: unknown, names: readonly string[], fits: (value: unknown) => boolean): boolean {
  return isRecord(value) && names.every((name) => fits(value[name]));
}

function isList(value: unknown, fits: (entry: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => isRecord(entry) && fits(entry));
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isChance(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isMeasure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
