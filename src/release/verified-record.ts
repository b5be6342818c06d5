import { PasskError } from '../errors.ts';
import { displayName } from '../source/source-file.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import { readTrials } from './trials-file.ts';
import { verifyRelease } from './verify-release.ts';

/** A record that holds, with its trials. */
export interface VerifiedRecord {
  /** As it is shown. */
  readonly name: string;
  readonly result: EvalResult;
  readonly trials: readonly TrialLine[];
}

export interface VerifiedRecordOptions {
  readonly cwd: string;
  /** The public key of whom it must be by, as a PEM text; absent: whoever signed it. */
  readonly publicKey?: string;
  /** What to do about one that does not hold. */
  readonly hint?: string;
}

/** Reads a record and the trials beside it, and judges them again. Rejects as `readHoldingRecord` does. `file`: its path. */
export async function readVerifiedRecord(file: string, options: VerifiedRecordOptions): Promise<VerifiedRecord> {
  const { name, result } = await readHoldingRecord(file, { ...options, recompute: true });
  return { name, result, trials: readTrials(`${file}.trials`, `${name}.trials`).trials };
}

/**
 * Reads a record that holds. Rejects with `INTEGRITY` for one that does not, with its reasons, and with `INPUT` for files that
 * cannot be read. `recompute`: its trials must be there, and are judged again. `log`: an audit log that must hold, and that no
 * earlier try of the candidate is in.
 */
export async function readHoldingRecord(
  file: string,
  {
    cwd,
    publicKey,
    hint,
    recompute,
    log,
  }: VerifiedRecordOptions & { readonly recompute: boolean; readonly log?: string },
): Promise<Pick<VerifiedRecord, 'name' | 'result'>> {
  const name = displayName(file, cwd);
  const { holds, checks, result } = await verifyRelease({
    record: file,
    recompute,
    cwd,
    ...(publicKey !== undefined && { publicKey }),
    ...(log !== undefined && { log }),
  });
  if (holds) return { name, result };
  const why = checks.filter((check) => !check.holds).map(({ message }) => message);
  throw new PasskError('INTEGRITY', `The record ${name} does not hold. ${why.join(' ')}`, {
    ...(hint !== undefined && { hint }),
  });
}
