import { randomUUID } from 'node:crypto';
import { PasskError } from '../errors.ts';
import type { FileLayer } from '../records/file-layer.ts';
import { withFile } from '../records/record-file.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';
import type { CanaryRelease, CanaryReport, RefusalCode } from '../types/canary/canary-report.ts';
import type { CanaryAudit } from './canary-audit.ts';
import { type CanaryEntry, openCanaryJournal, type RolloutBeginning } from './canary-journal.ts';
import { CanaryMachine } from './canary-machine.ts';
import type { ReadCanary } from './read-canary.ts';

/** A rollout that may go on. Needs closing: until then nobody else may continue it. */
export interface OpenCanary {
  /** Counts outcomes, once the journal has them; resolves to why each was set aside, or null. */
  take(lines: readonly string[], nowMs: number): Promise<readonly (RefusalCode | null)[]>;
  endStep(): Promise<void>;
  report(): CanaryReport;
  /** Writes the state for others, whole or not at all, and what is new into the audit log. */
  save(): Promise<CanaryReport>;
  close(): Promise<void>;
}

export interface OpenCanaryOptions {
  readonly state: string;
  readonly files: FileLayer;
  /** Gets each transition, once the state is saved; default null: nobody does. */
  readonly audit?: CanaryAudit | null;
  /** The release that a rollout which begins now has passed. */
  readonly release: CanaryRelease | null;
}

/** Opens or begins a rollout. Rejects as `stepCanary` does. */
export async function openCanary(
  { plan, configuration }: ReadCanary,
  { state, files, audit = null, release }: OpenCanaryOptions,
): Promise<OpenCanary> {
  const machine = new CanaryMachine(plan);
  const identity = { configuration, candidate: plan.candidate };
  let begun: RolloutBeginning = { rollout: '', release };
  const report = (): CanaryReport => machine.report(configuration, begun.release);
  const journal = await openCanaryJournal(
    `${state}.journal`,
    { identity, files },
    {
      take: (entry) => replay(machine, entry),
      begin: async (before) => {
        begun = before ?? { rollout: randomUUID(), release };
        await audit?.requireFirst(report(), begun.rollout);
        return begun;
      },
    },
  );
  try {
    await audit?.begin(report(), begun.rollout);
  } catch (error) {
    await journal.close();
    throw error;
  }
  return {
    take: async (lines, atMs) => {
      // Whoever gives a growing file again and again does not make the journal grow with it.
      const repeats = lines.map((line) => machine.repeats(line));
      const fresh = lines.filter((_, place) => repeats[place] === false);
      const doubles = lines.length - fresh.length;
      await journal.append({ kind: 'lines', atMs, lines: fresh, doubles });
      machine.takeDoubles(doubles);
      return lines.map((line, place) => (repeats[place] === true ? 'double' : machine.take(line, atMs)));
    },
    endStep: async () => {
      await journal.append({ kind: 'step' });
      await journal.sync();
      machine.endStep();
    },
    report,
    save: async () => {
      const made = report();
      const bytes = new TextEncoder().encode(`${JSON.stringify(made, null, 2)}\n`);
      await withFile(
        () => writeFileWhole(state, bytes, files),
        (reason, cause) => new PasskError('OUTPUT', `${state} cannot be written: ${reason}.`, { cause }),
      );
      await audit?.add(made);
      return made;
    },
    close: () => journal.close(),
  };
}

/** Does once more what an entry of a journal says; `onLine` hears of each line. */
export function replay(
  machine: CanaryMachine,
  entry: CanaryEntry,
  onLine: (reason: RefusalCode | null, line: string) => void = () => undefined,
): void {
  if (entry.kind === 'step') {
    machine.endStep();
    return;
  }
  machine.takeDoubles(entry.doubles);
  for (const line of entry.lines) onLine(machine.take(line, entry.atMs), line);
}
