import path from 'node:path';
import type { RECORDINGS } from '../../settings/rows/recordings.ts';
import { displayName } from '../../source/source-file.ts';
import { readReport } from '../../suite/read-report.ts';
import { loadRun, runWithRows } from '../../suite/run-suite.ts';
import type { RunSuiteOptions } from '../../settings/options.ts';
import { collectEvidence } from '../collect-evidence.ts';
import { finishedKind } from '../finished-kind.ts';
import { readVerifiedRecord } from '../verified-record.ts';
import { reportSpending } from './report-spending.ts';
import type { Spending } from './spending.ts';
import { trialSpending } from './trial-spending.ts';

export type RecordingOptions = Pick<
  RunSuiteOptions,
  Exclude<keyof typeof RECORDINGS, 'recordings'> | 'plugins' | 'workers' | 'signal' | 'onProgress' | 'onOutput'
>;

/**
 * What a finished run took: of a JSON report, of a release record with its trials, or of runs that other programs recorded.
 * Rejects with `INPUT` for what is none of these, and with `INTEGRITY` for a record that does not hold.
 */
export async function readSpending(name: string, cwd: string, options: RecordingOptions): Promise<Spending> {
  const file = path.resolve(cwd, name);
  const kind = finishedKind(file, displayName(file, cwd));
  if (kind === 'report') return reportSpending(await readReport(file, { cwd }));
  if (kind === 'record') return recordSpending(file, cwd);
  const run = await runWithRows(await loadRun({ ...options, cwd, recordings: [name] }), { atLeast: 1 });
  const { scenarios, trials } = collectEvidence(run, { rateCard: null, governed: false, tier: 'dev' });
  return { kind: 'recordings', cases: trialSpending(scenarios, trials, { isCardPriced: false }), roles: [], notes: [] };
}

async function recordSpending(file: string, cwd: string): Promise<Spending> {
  const { result, trials } = await readVerifiedRecord(file, { cwd });
  const { body } = result;
  return {
    kind: 'record',
    cases: trialSpending(body.scenarios, trials, { isCardPriced: body.rateCard !== null }),
    roles: body.candidate.modelPins,
    notes: body.partial ? ['Not all of its trials were run, or could be read.'] : [],
  };
}
