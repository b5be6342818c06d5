import path from 'node:path';
import type { KeyObject } from 'node:crypto';
import { PasskError } from '../errors.ts';
import { displayName } from '../source/source-file.ts';
import type { Candidate } from '../types/release/eval-body.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import { readTrials } from './trials-file.ts';
import { verifyRelease } from './verify-release.ts';

/** A record that holds, with its trials. */
export interface OtherRecord {
  /** As it is shown. */
  readonly name: string;
  readonly result: EvalResult;
  readonly trials: readonly TrialLine[];
}

export interface OtherRecordOptions {
  readonly cwd: string;
  readonly candidate: Pick<Candidate, 'name' | 'version'>;
  /** The public key that each must be signed with. */
  readonly key: KeyObject;
}

/**
 * Records whose trials are to count in another one, by hash. Rejects with `INTEGRITY` for a record that does not hold, that
 * somebody else signed or that is of another candidate, with its reason, and with `INPUT` for files that cannot be read.
 */
export async function readOtherRecords(
  files: readonly string[],
  { cwd, candidate, key }: OtherRecordOptions,
): Promise<readonly OtherRecord[]> {
  const publicKey = key.export({ type: 'spki', format: 'pem' }).toString();
  const records: OtherRecord[] = [];
  for (const file of files) {
    const full = path.resolve(cwd, file);
    const name = displayName(full, cwd);
    const { holds, checks, result } = await verifyRelease({ record: full, publicKey, recompute: true, cwd });
    if (!holds) {
      const why = checks.filter((check) => !check.holds).map(({ message }) => message);
      throw refused(`The record ${name} does not hold. ${why.join(' ')}`);
    }
    const { candidate: other } = result.body;
    if (other.name !== candidate.name || other.version !== candidate.version) {
      throw refused(
        `The record ${name} is of ${other.name} ${other.version}; this release is of ${candidate.name} ${candidate.version}.`,
      );
    }
    if (records.some((one) => one.result.bodyHash === result.bodyHash))
      throw refused(`The record ${name} is given twice.`);
    records.push({ name, result, trials: readTrials(`${full}.trials`, `${name}.trials`).trials });
  }
  // In whatever order they are given, the record is the same.
  return records.sort((a, b) => (a.result.bodyHash < b.result.bodyHash ? -1 : 1));
}

function refused(message: string): PasskError {
  return new PasskError('INTEGRITY', message, { hint: 'Leave it out, or run its scenarios again.' });
}
