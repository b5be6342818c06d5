import path from 'node:path';
import type { KeyObject } from 'node:crypto';
import { PasskError } from '../errors.ts';
import type { Candidate } from '../types/release/eval-body.ts';
import { type VerifiedRecord, readVerifiedRecord } from './verified-record.ts';

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
): Promise<readonly VerifiedRecord[]> {
  const publicKey = key.export({ type: 'spki', format: 'pem' }).toString();
  const records: VerifiedRecord[] = [];
  for (const file of files) {
    const record = await readVerifiedRecord(path.resolve(cwd, file), { cwd, publicKey, hint: HINT });
    const { name, result } = record;
    const { candidate: other } = result.body;
    if (other.name !== candidate.name || other.version !== candidate.version) {
      throw refused(
        `The record ${name} is of ${other.name} ${other.version}; this release is of ${candidate.name} ${candidate.version}.`,
      );
    }
    if (records.some((one) => one.result.bodyHash === result.bodyHash))
      throw refused(`The record ${name} is given twice.`);
    records.push(record);
  }
  // In whatever order they are given, the record is the same.
  return records.sort((a, b) => (a.result.bodyHash < b.result.bodyHash ? -1 : 1));
}

const HINT = 'Leave it out, or run its scenarios again.';

function refused(message: string): PasskError {
  return new PasskError('INTEGRITY', message, { hint: HINT });
}
