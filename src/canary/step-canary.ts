import { createReadStream } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { type FileLayer, nodeFiles } from '../records/file-layer.ts';
import { withFile } from '../records/record-file.ts';
import type { CanaryReport, RefusalCode } from '../types/canary/canary-report.ts';
import { admitRollout, refusedRollout } from './admit-rollout.ts';
import { CanaryMachine } from './canary-machine.ts';
import type { CanaryOptions, CanaryStep, SetAside, StepCanaryOptions } from './canary-options.ts';
import { openCanaryAudit } from './canary-audit.ts';
import { type JournalSurvey, replayJournal } from './canary-journal.ts';
import { openCanary, replay } from './open-canary.ts';
import { outcomeLines } from './outcome-lines.ts';
import { type ReadCanary, readCanary } from './read-canary.ts';

/** Reasons that need no place: nothing is wrong with these lines. */
const UNNAMED: ReadonlySet<RefusalCode> = new Set(['double', 'over']);
/** Outcomes that were set aside, of which a step names the place. */
const MOST_NAMED = 20;
/** Lines that are written to the journal together. */
const BATCH = 500;

/**
 * Reads outcomes, and promotes, holds or takes back the candidate. All that was read is in the journal before it counts, so that
 * a step that was killed is continued by the next, and outcomes that are given twice count once. Rejects with `INPUT` where
 * files cannot be read or the state is of another configuration, `INTEGRITY` where it is damaged, `OUTPUT` where it cannot be written.
 */
export async function stepCanary(options: StepCanaryOptions): Promise<CanaryStep> {
  const { outcomes, input, now = Date.now, files = nodeFiles } = options;
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const read = readCanary(options.config, cwd);
  const state = stateFile(read, options, cwd);
  const admission = await admitRollout(read, { state, cwd, files });
  if (admission.refused !== null) return { report: admission.refused, read: 0, setAside: [] };
  const { release } = admission;
  for (const file of outcomes) if (file !== '-') await requireFile(path.resolve(cwd, file), file, files);
  const audit = options.audit === undefined ? null : await openCanaryAudit(options.audit, cwd);
  const canary = await openCanary(read, { state, files, audit, release });
  try {
    const setAside: SetAside[] = [];
    let lines = 0;
    for (const file of outcomes) {
      const pieces = file === '-' ? (input ?? []) : createReadStream(path.resolve(cwd, file));
      let number = 0;
      for await (const batch of batches(outcomeLines(pieces as AsyncIterable<Uint8Array>))) {
        for (const reason of await canary.take(batch, now())) {
          number += 1;
          if (reason !== null && !UNNAMED.has(reason) && setAside.length < MOST_NAMED)
            setAside.push({ reason, file, line: number });
        }
        lines += batch.length;
      }
    }
    await canary.endStep();
    return { report: await canary.save(), read: lines, setAside };
  } finally {
    await canary.close();
  }
}

/** A rollout as far as it has gone. Changes nothing; rejects as `stepCanary` does. */
export async function canaryStatus(options: CanaryOptions): Promise<CanaryReport> {
  const { machine, read, survey, cwd } = await replayed(options, () => undefined);
  if (survey !== null) return refusedRollout(read) ?? machine.report(read.configuration, survey.release);
  const admission = await admitRollout(read, {
    state: stateFile(read, options, cwd),
    cwd,
    files: options.files ?? nodeFiles,
  });
  return admission.refused ?? machine.report(read.configuration, admission.release);
}

/** Lines that a rollout set aside, with their reasons, in order. Doubles of earlier batches are not among them. */
export async function canarySetAside(
  options: CanaryOptions,
): Promise<readonly { readonly reason: RefusalCode; readonly line: string }[]> {
  const lines: { readonly reason: RefusalCode; readonly line: string }[] = [];
  await replayed(options, (reason, line) => {
    if (reason !== null) lines.push({ reason, line });
  });
  return lines;
}

interface Replayed {
  readonly machine: CanaryMachine;
  readonly read: ReadCanary;
  /** Null: it has not begun. */
  readonly survey: JournalSurvey | null;
  readonly cwd: string;
}

async function replayed(
  options: CanaryOptions,
  onLine: (reason: RefusalCode | null, line: string) => void,
): Promise<Replayed> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const read = readCanary(options.config, cwd);
  const machine = new CanaryMachine(read.plan);
  const identity = { configuration: read.configuration, candidate: read.plan.candidate };
  const journal = `${stateFile(read, options, cwd)}.journal`;
  const files = options.files ?? nodeFiles;
  const survey = await replayJournal(journal, { identity, files }, (entry) => replay(machine, entry, onLine));
  return { machine, read, survey, cwd };
}

/** Where the state of a rollout is kept. */
export function stateFile({ file }: ReadCanary, { state }: Pick<CanaryOptions, 'state'>, cwd: string): string {
  if (state !== undefined) return path.resolve(cwd, state);
  return `${file.replace(/\.toml$/, '')}.state.json`;
}

async function requireFile(file: string, name: string, files: FileLayer): Promise<void> {
  const kind = await withFile(
    () => files.kindOf(file),
    (reason, cause) => new PasskError('INPUT', `${name} cannot be read: ${reason}.`, { cause }),
  );
  if (kind === 'file' || kind === 'special') return;
  throw new PasskError(
    'INPUT',
    `${name} cannot be read: ${kind === 'absent' ? 'there is no such file' : 'it is a folder'}.`,
    {
      hint: 'Give files with a line of JSON for each outcome, or - for the input.',
    },
  );
}

async function* batches(lines: AsyncIterable<string>): AsyncGenerator<readonly string[], void, undefined> {
  let batch: string[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
