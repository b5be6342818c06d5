import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../../errors.ts';
import { displayName } from '../../source/source-file.ts';
import {
  PRICE_SCHEMA,
  type PricedCosts,
  type PriceQuestion,
  type PriceReport,
} from '../../types/release/price-report.ts';
import { VERSION } from '../../version.ts';
import { rateCardOf, readRates } from '../rate-card.ts';
import { priceCases } from './costs.ts';
import { Rates } from './rates.ts';
import { withRoleTables } from '../role-rates.ts';
import { readSpending, type RecordingOptions } from './read-spending.ts';
import type { SpentCase } from './spending.ts';
import { type InputRanges, NO_CHANGE, tornado } from './tornado.ts';

/** Options of `priceRun()`. */
export interface PriceRunOptions extends RecordingOptions, Partial<PriceQuestion> {
  /** A JSON report of passk, a release record, or files and folders with recorded runs. */
  readonly run: string;
  /** A file of prices. */
  readonly rates: string;
  /** How far inputs go in the tornado plot: prices by this share of them, shares and retries by so much; default 0.2. */
  readonly swing?: number;
  /** From where to where an input goes instead; of prices factors. */
  readonly ranges?: InputRanges;
  /** The most that a success may cost, in USD; absent: nothing is judged. */
  readonly maxCostPerSuccess?: number;
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
}

/**
 * What a finished run would have cost under other rates and shares; nothing is run again. Rejects with `USAGE` for numbers that
 * cannot be, and as `readSpending` does.
 */
export async function priceRun({
  run,
  rates: rateFile,
  swing = 0.2,
  ranges = {},
  maxCostPerSuccess,
  cwd: folder,
  cacheShare = null,
  batchShare = null,
  reservedShare = null,
  utilisation = null,
  retries = null,
  attempts = 1,
  ...recordings
}: PriceRunOptions): Promise<PriceReport> {
  const cwd = path.resolve(folder ?? process.cwd());
  const asked: PriceQuestion = { cacheShare, batchShare, reservedShare, utilisation, retries, attempts };
  refuseNumbers({ ...asked, swing, maxCostPerSuccess });
  refuseRanges(ranges);
  const rates = readRates(rateFile, cwd);
  const card = rateCardOf(rates);
  const { kind, cases, roles, notes } = await readSpending(run, cwd, recordings);
  const data = withRoleTables(rates, roles);
  refuseAttempts(cases, attempts);
  const unchanged = { cacheShare: null, batchShare: null, reservedShare: null, utilisation: null };
  const before = priceCases(cases, new Rates(data, { ...NO_CHANGE, ...unchanged }), { retries: null, attempts: 1 });
  const after = priceCases(cases, new Rates(data, { ...NO_CHANGE, ...asked }), { retries, attempts });
  return {
    schema: PRICE_SCHEMA,
    passk: VERSION,
    source: {
      kind,
      name: displayName(path.resolve(cwd, run), cwd),
      cases: cases.length,
      trials: cases.reduce((sum, { trials }) => sum + trials, 0),
      passed: cases.reduce((sum, { passed }) => sum + passed, 0),
    },
    rateCard: { id: card.id, effective: card.effective, hash: card.hash },
    asked,
    measured: before.costs,
    priced: after.costs,
    unpriced: after.unpriced,
    tornado: tornado(cases, { rates: data, asked, swing, ranges }),
    gate: maxCostPerSuccess === undefined ? null : judged(after.costs, maxCostPerSuccess),
    notes: [
      ...notes,
      ...(retries !== null || attempts > 1
        ? ['Retries change what is spent. How often an attempt succeeds stays as it was.']
        : []),
    ],
  };
}

/** The exit code of `passk price`: 0 no ceiling, or it is kept; 1 it is not; 3 nobody can tell. */
export function priceExitCode({ gate }: PriceReport): 0 | 1 | 3 {
  return gate === null || gate.verdict === 'pass' ? 0 : gate.verdict === 'fail' ? 1 : 3;
}

/** Both costs per success must keep the ceiling, as in a release. */
function judged(
  { perSuccessUsd, perSuccessExactUsd, isLowerBound, runs }: PricedCosts,
  ceilingUsd: number,
): NonNullable<PriceReport['gate']> {
  if (runs === 0)
    return { verdict: 'insufficient', ceilingUsd, reason: 'There is no trial, so nothing is known of costs.' };
  if (perSuccessUsd === null || perSuccessExactUsd === null)
    return { verdict: 'fail', ceilingUsd, reason: 'No trial passed, so no sum of money buys a success.' };
  const cost = Math.max(perSuccessUsd, perSuccessExactUsd);
  if (cost > ceilingUsd) return { verdict: 'fail', ceilingUsd, reason: 'A success costs more than the ceiling.' };
  if (isLowerBound)
    return { verdict: 'insufficient', ceilingUsd, reason: 'Something has no price, so a success may cost more.' };
  return { verdict: 'pass', ceilingUsd, reason: 'A success costs no more than the ceiling.' };
}

const SHARES = ['cacheShare', 'batchShare', 'reservedShare'] as const;

function refuseNumbers(
  numbers: PriceQuestion & { readonly swing: number; readonly maxCostPerSuccess: number | undefined },
): void {
  for (const name of SHARES) refuse(name, numbers[name], (value) => value >= 0 && value <= 1, 'a number from 0 to 1');
  refuse('utilisation', numbers.utilisation, (value) => value > 0 && value <= 1, 'above 0, and at most 1');
  refuse('retries', numbers.retries, isAmount, 'a number from 0');
  refuse('attempts', numbers.attempts, (value) => Number.isInteger(value) && value >= 1, 'a whole number from 1');
  refuse('swing', numbers.swing, (value) => value > 0 && value <= 1, 'above 0, and at most 1');
  refuse('maxCostPerSuccess', numbers.maxCostPerSuccess ?? null, isAmount, 'a number from 0');
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY;
}

function refuse(name: string, value: number | null, isGood: (value: number) => boolean, what: string): void {
  if (value === null || isGood(value)) return;
  throw new PasskError('USAGE', `\`${name}\` must be ${what}, got ${value}.`);
}

function refuseRanges(ranges: NonNullable<PriceRunOptions['ranges']>): void {
  for (const [input, [low, high]] of Object.entries(ranges)) {
    const isShare = input.endsWith('_share') || input === 'success_rate';
    const most = isShare ? 1 : Number.MAX_VALUE;
    if (low >= 0 && low <= high && high <= most) continue;
    throw new PasskError('USAGE', `The range of ${input} goes from ${low} to ${high}.`, {
      hint: isShare ? 'Shares lie between 0 and 1.' : 'Write the lower end first; both are at least 0.',
    });
  }
}

/** What more attempts than trials would give, nobody saw. */
function refuseAttempts(cases: readonly SpentCase[], attempts: number): void {
  const fewer = cases.find(({ trials }) => trials < attempts);
  if (attempts === 1 || fewer === undefined) return;
  throw new PasskError(
    'USAGE',
    `"${fewer.name}" has ${fewer.trials} trials, which do not tell what ${attempts} attempts give.`,
    {
      hint: 'Ask for as many attempts as there are trials, at most.',
    },
  );
}
