import type { ComparedRun } from '../../baseline/compared-run.ts';
import { MAX_BASELINE_BYTES, readBaseline } from '../../baseline/read-baseline.ts';
import { PasskError } from '../../errors.ts';
import { readPlain } from '../../records/open-plain.ts';
import { fileProblem } from '../../values/file-problem.ts';
import { unreadableHint } from '../../source/missing-path.ts';
import { displayName } from '../../source/source-file.ts';
import type { Baseline } from '../../types/baseline.ts';

/** The run to compare with: from a file, or as it is. Throws `INPUT` when it cannot be used. */
export async function readBaselineFile(baseline: string | Baseline, cwd: string): Promise<ComparedRun> {
  // Programs without types give anything: it is checked as a file is.
  if (typeof baseline !== 'string') return readBaseline(Buffer.from(JSON.stringify(baseline)), '`options.baseline`');
  const name = displayName(baseline, cwd);
  return readBaseline(await bytesOf(baseline, name), name);
}

async function bytesOf(file: string, name: string): Promise<Uint8Array> {
  try {
    return await readPlain(file, MAX_BASELINE_BYTES);
  } catch (cause) {
    throw new PasskError('INPUT', `The baseline ${name} cannot be read: ${fileProblem(cause)}.`, {
      hint: unreadableHint(cause, file, { shown: name, otherwise: HINT }),
      cause,
    });
  }
}

const HINT = 'Name a file that --save-baseline wrote.';
