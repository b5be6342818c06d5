import { existsSync } from 'node:fs';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { candidateFile, readGolden, writeGolden } from './golden-file.ts';
import type { GoldenSet } from '../types/golden/golden-set.ts';
import type { AcceptGoldenOptions } from './golden-options.ts';

const FORCE = '--force accepts it all the same, and the golden set says so.';

/**
 * Makes the candidate that was tried last the baseline of later ones. Rejects with `INPUT` where it was not compared with what is
 * pinned now, or did not pass and nobody forces it, and with `USAGE` without a reason. Nothing is written then.
 */
export async function acceptGolden({
  set: name,
  reason,
  by,
  force = false,
  cwd = process.cwd(),
}: AcceptGoldenOptions): Promise<GoldenSet> {
  if (reason.trim() === '') {
    throw new PasskError('USAGE', 'Nobody says why the candidate is accepted.', { hint: 'Give --reason TEXT.' });
  }
  const file = path.resolve(cwd, name);
  const { set, pin } = await readGolden(file, name);
  const from = candidateFile(file);
  const shown = candidateFile(name);
  if (!existsSync(from)) {
    throw new PasskError('INPUT', `No candidate was tried on ${name}.`, { hint: `Try one: passk golden run ${name}` });
  }
  const { set: candidate } = await readGolden(from, shown);
  const { seal: _, ...unsealed } = candidate;
  const { judged } = unsealed;
  if (judged === null || candidate.hash !== set.hash || judged.pin !== pin) {
    throw new PasskError('INPUT', `${shown} was compared with another baseline than that of ${name}.`, {
      hint: `Try the candidate again: passk golden run ${name}`,
    });
  }
  const { verdict, regressions, isReplayed = false } = judged;
  if (isReplayed && !force) {
    throw new PasskError(
      'INPUT',
      'The answers of the candidate are those of a cassette, which does not say who gave them.',
      {
        hint: `Try the candidate without --replay; ${FORCE}`,
      },
    );
  }
  if (verdict !== 'pass' && !force) {
    const why = verdict === 'fail' ? 'failed' : 'did not show enough';
    const lost = regressions.length === 0 ? '' : `, with ${regressions.length} regressions`;
    throw new PasskError('INPUT', `The candidate ${why}${lost}, and is not accepted.`, {
      hint: FORCE,
    });
  }
  const accepted = { reason, by: by ?? null, at: new Date().toISOString(), isForced: verdict !== 'pass' || isReplayed };
  return writeGolden(file, { ...unsealed, accepted }, name);
}
