import path from 'node:path';
import type { KeyObject } from 'node:crypto';
import { PasskError } from '../errors.ts';
import type { Candidate } from '../types/release/eval-body.ts';
import type { PriorRelease } from '../types/release/other-records.ts';
import { trialsOf } from './count-trials.ts';
import { candidateText } from './release-texts.ts';
import { publicKeyPem } from './signing-keys.ts';
import { type VerifiedRecord, readHoldingRecord, readVerifiedRecord } from './verified-record.ts';

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
  const publicKey = publicKeyPem(key);
  const records: VerifiedRecord[] = [];
  for (const file of files) {
    const record = await readVerifiedRecord(path.resolve(cwd, file), { cwd, publicKey, hint: HINT });
    const { name, result } = record;
    const { candidate: other } = result.body;
    if (other.name !== candidate.name || other.version !== candidate.version) {
      throw refused(
        `The record ${name} is of ${candidateText(other)}; this release is of ${candidateText(candidate)}.`,
      );
    }
    if (records.some((one) => one.result.bodyHash === result.bodyHash))
      throw refused(`The record ${name} is given twice.`);
    records.push(record);
  }
  // In whatever order they are given, the record is the same.
  return records.sort((a, b) => (a.result.bodyHash < b.result.bodyHash ? -1 : 1));
}

/**
 * The record of the release before, from which a ceiling and names of scenarios are taken. Rejects with `INTEGRITY` for one
 * that does not hold or that somebody else signed, and with `INPUT` for a file that cannot be read.
 */
export async function readPriorRecord(
  file: string,
  { cwd, key }: { readonly cwd: string; readonly key: KeyObject },
): Promise<PriorRelease> {
  const hint =
    'Give the record as it was written. Of one that an earlier key signed, --prior-public-key names that key.';
  const options = { cwd, publicKey: publicKeyPem(key), hint, recompute: false };
  const { body, bodyHash } = (await readHoldingRecord(path.resolve(cwd, file), options)).result;
  const { candidate, cost, axes, scenarios, reliability } = body;
  return {
    bodyHash,
    candidate: candidateText(candidate),
    // What was too dear is no ceiling: release after release could raise it by failing.
    costPerSuccessUsd: axes.cost.verdict === 'fail' ? null : cost.perSuccessExactUsd,
    passHatK: reliability.passHatK,
    scenarios: scenarios.map((one) => ({
      hash: one.hash,
      name: one.name,
      suite: one.suite,
      passed: one.passed,
      trials: trialsOf(one),
    })),
  };
}

const HINT = 'Leave it out, or run its scenarios again.';

function refused(message: string): PasskError {
  return new PasskError('INTEGRITY', message, { hint: HINT });
}
