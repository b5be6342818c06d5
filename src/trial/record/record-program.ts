import type { Check } from '../../checks/check.ts';
import { PasskError } from '../../errors.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import { factsOf } from '../../types/subjects.ts';
import { isWorkLow } from '../../values/work.ts';
import { messageOf } from '../../values/message-of.ts';
import type { InspectedTrial, RecordedTrials, RunAsyncOptions, TrialProgram } from '../program.ts';
import type { ProgramInfo } from '../program-info.ts';
import { LowestTrials } from '../lowest-trials.ts';
import { Tally } from '../tally/tally.ts';
import { shapeOf, type TallyShape } from '../tally/tally-shape.ts';
import { countRecord } from './count-record.ts';
import { CountedTrails } from './counted-trails.ts';
import { cutRecord } from './cut-record.ts';
import { type JudgedRecord, judgeRecord } from './judge-record.ts';
import { brokenRecord } from './record-trial.ts';

/** Runs trials of a subject, one at a time. */
export interface SubjectRunner {
  /** What happened in one trial, whole. Rejects when the harness failed, which breaks the trial. */
  run(trial: number, signal: AbortSignal): Promise<TrialRecord>;
}

/** A subject that has been compiled: any subject but a workflow, which is judged while it walks. */
export interface CompiledSubject {
  readonly info: ProgramInfo;
  readonly checks: readonly Check[];
  /** What happened in one trial, at once; absent: trials wait for something. */
  readonly readNow?: (trial: number) => TrialRecord;
  /** Another runner, for one more trial at a time. */
  openRunner(): SubjectRunner;
  close(): Promise<void>;
}

/** A program whose trials are judged by their records. */
export function recordProgram(plan: ScenarioPlan, subject: CompiledSubject): TrialProgram {
  return new RecordProgram(plan, subject);
}

class RecordProgram implements TrialProgram, RecordedTrials {
  readonly info: ProgramInfo;
  readonly shape: TallyShape;
  readonly sync: boolean;
  private readonly name: string;
  private readonly nodeIds: readonly string[];
  private readonly subject: CompiledSubject;
  private readonly idle: SubjectRunner[] = [];
  private readonly lowest = new LowestTrials();
  private readonly trails = new CountedTrails();
  private readonly mayBeSilent: boolean;

  constructor({ scenario }: ScenarioPlan, subject: CompiledSubject) {
    this.name = scenario.name;
    this.mayBeSilent = factsOf(scenario.subject).mayBeSilent(scenario.subject);
    this.subject = subject;
    this.info = subject.info;
    this.sync = subject.readNow !== undefined;
    this.shape = shapeOf(subject.info);
    this.nodeIds = subject.info.nodes.map(({ node }) => node);
  }

  get records(): RecordedTrials | null {
    return this.sync ? null : this;
  }

  newTally(): Tally {
    return new Tally(this.shape);
  }

  async record(trial: number, signal: AbortSignal = new AbortController().signal): Promise<TrialRecord> {
    const runner = this.idle.pop() ?? this.subject.openRunner();
    try {
      const record = await runner.run(trial, signal);
      this.idle.push(runner);
      return record;
    } catch (error) {
      // A runner that failed may still be at work.
      return brokenRecord(trial, messageOf(error));
    }
  }

  judge(record: TrialRecord, tally: Tally): void {
    const { lowest, trails, mayBeSilent } = this;
    countRecord(record, this.rule(record), tally, { faults: this.info.faults, lowest, trails, mayBeSilent });
  }

  noteCounted({ sessions }: Tally): void {
    if (sessions !== null) this.trails.note(sessions);
  }

  async runAsync(from: number, to: number, tally: Tally, { concurrency, signal }: RunAsyncOptions): Promise<void> {
    // What waits is run one at a time by whoever counts what is in flight.
    if (to === from + 1) {
      this.judge(await this.record(from, signal), tally);
      return;
    }
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to && signal?.aborted !== true) this.judge(await this.record(next++, signal), tally);
    };
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, to - from)) }, work));
  }

  run(from: number, to: number, tally: Tally): number {
    for (let trial = from; trial < to; trial++) {
      if (trial > from && isWorkLow()) return trial;
      this.judge(this.readNow(trial), tally);
    }
    return to;
  }

  async inspect(trial: number): Promise<InspectedTrial> {
    return this.inspected(await this.record(trial));
  }

  inspectNow(trial: number, isWhole = false): InspectedTrial {
    return this.inspected(this.readNow(trial), isWhole);
  }

  private inspected(record: TrialRecord, isWhole = false): InspectedTrial {
    const { trial } = record;
    const { brokenBy, findings } = this.rule(record);
    return {
      result: {
        trial,
        verdict: brokenBy !== null ? 'broken' : findings.length === 0 ? 'passed' : 'failed',
        outcome: null,
        findings,
        brokenBy,
      },
      trace: null,
      record: isWhole ? record : cutRecord(record),
    };
  }

  leaves(): never {
    throw new PasskError('INTERNAL', `Trials of "${this.name}" have no answers that could be enumerated.`);
  }

  close(): Promise<void> {
    return this.subject.close();
  }

  private rule(record: TrialRecord): JudgedRecord {
    return judgeRecord(record, { checks: this.subject.checks, nodeIds: this.nodeIds });
  }

  private readNow(trial: number): TrialRecord {
    const { readNow } = this.subject;
    if (readNow !== undefined) return readNow(trial);
    throw new PasskError('INTERNAL', `Trials of "${this.name}" wait for answers, so none runs at once.`);
  }
}
