import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { displayName } from '../source/source-file.ts';
import type { Json } from '../types/json.ts';
import type { EvalBody } from '../types/release/eval-body.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import { anchorCheck, logCheck } from './check-anchor.ts';
import { signatureChecks } from './check-signature.ts';
import { evaluateRelease } from './evaluate-release.ts';
import { firstDifference } from './first-difference.ts';
import { readRecord } from './record-files.ts';
import { publicKeyFrom, readPublicKey } from './signing-keys.ts';
import { readTrials } from './trials-file.ts';
import { type SignedCheck, signedCheck, type VerificationCheck } from './verification.ts';

/** Options of `verifyRelease()`. */
export interface VerifyReleaseOptions {
  /** The file with the record. */
  readonly record: string;
  /** The public key of whom the record must be by, as a PEM text; absent: whoever signed it. */
  readonly publicKey?: string;
  /** The file of trials; default: the one beside the record, where it is there. */
  readonly trials?: string;
  /** The audit log that must hold the record's entry; absent: it is not looked at. */
  readonly log?: string;
  /** Judge the trials again and compare every number; the file of trials must be there. */
  readonly recompute?: boolean;
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
}

/** What was looked at, and what does not hold. */
export interface Verification extends SignedCheck {
  /** The record that was verified. */
  readonly result: EvalResult;
}

/** Looks whether a record holds. Rejects with `INPUT` for files that cannot be read, and with `USAGE` without trials to judge again. */
export async function verifyRelease(options: VerifyReleaseOptions): Promise<Verification> {
  const { record, publicKey, log, recompute = false } = options;
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const file = path.resolve(cwd, record);
  const shown = (name: string): string => displayName(name, cwd);
  const result = await readRecord(file, shown(file));
  const expected = publicKey === undefined ? null : readPublicKey(publicKey, 'The public key');
  const signer = publicKeyFrom(result.signature.publicKey);
  const checks: VerificationCheck[] = [
    ...signatureChecks(result, { signer, expected, noun: 'record' }),
    anchorCheck(result, { signer, noun: 'record' }),
  ];
  if (log !== undefined) {
    const { anchor, body } = result;
    // What a record is made of came before it, and is no other try.
    const own = (body.merged ?? []).map((one) => one.bodyHash);
    const tries = { begun: 'release.begun', ended: 'release.evaluated' } as const;
    const reading = { signer, noun: 'record', tries, own } as const;
    const logFile = path.resolve(cwd, log);
    checks.push(await logCheck(anchor, { ...reading, file: logFile, name: shown(logFile) }));
  }
  const trialsFile = path.resolve(cwd, options.trials ?? `${file}.trials`);
  const hasTrials = options.trials !== undefined || existsSync(trialsFile);
  if (recompute && !hasTrials) {
    throw new PasskError('USAGE', `${shown(trialsFile)} is not there, so nothing can be judged again.`, {
      hint: 'Name the file of trials with --trials.',
    });
  }
  if (hasTrials) checks.push(...trialChecks(result, trialsFile, { shown, recompute }));
  return {
    ...signedCheck(checks, { signer, expected, keyId: result.signature.keyId }),
    result,
  };
}

function trialChecks(
  { body, bodyHash: hash }: EvalResult,
  file: string,
  { shown, recompute }: { readonly shown: (name: string) => string; readonly recompute: boolean },
): readonly VerificationCheck[] {
  const read = readTrials(file, shown(file));
  if (read.bodyHash !== hash) {
    return [{ code: 'TRIALS', holds: false, message: 'The trials were written with another record.' }];
  }
  let again: EvalBody;
  try {
    again = judgeAgain(body, read.trials);
  } catch (error) {
    if (!(error instanceof PasskError)) throw error;
    return [{ code: 'TRIALS', holds: false, message: error.message }];
  }
  const trials: VerificationCheck =
    again.trialsRoot === body.trialsRoot
      ? { code: 'TRIALS', holds: true, message: `The ${read.trials.length} trials are those of the record.` }
      : {
          code: 'TRIALS',
          holds: false,
          message: 'The trials are not those of the record: their Merkle root is another one.',
        };
  if (!recompute) return [trials];
  const difference = firstDifference(body as unknown as Json, again as unknown as Json);
  return [
    trials,
    difference === null
      ? { code: 'METRICS', holds: true, message: 'Judging the trials again gives every number of the record.' }
      : {
          code: 'METRICS',
          holds: false,
          message: `METRIC_MISMATCH: ${difference.at} is ${difference.stated} in the record; the trials give ${difference.found}.`,
        },
  ];
}

/** What the trials come to by the rules that the record states. */
function judgeAgain(body: EvalBody, trials: readonly TrialLine[]): EvalBody {
  return evaluateRelease({ ...body, trials });
}
