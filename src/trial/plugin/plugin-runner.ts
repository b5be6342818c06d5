import type { OpenSubject, SubjectTrial, SubjectType } from '../../plugin/subject-type.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import type { PluginPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { withinTime } from '../record/within-time.ts';
import { failedText } from '../../values/thrown-at.ts';
import { recordSubject } from './record-subject.ts';

/** Runs trials of what one plug-in opened. A trial that takes too long is told to end, and is not waited for. */
export class PluginRunner implements SubjectRunner {
  private readonly type: SubjectType;
  private readonly plan: PluginPlan;
  private readonly startClock: () => RealTime;
  /** Null: not opened yet. */
  private opened: Promise<OpenSubject> | null = null;

  constructor(type: SubjectType, plan: PluginPlan, startClock: () => RealTime) {
    this.type = type;
    this.plan = plan;
    this.startClock = startClock;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    this.opened ??= this.open();
    const subject = await this.opened;
    const { timeoutMs } = this.plan.scenario;
    const late = (): never => {
      throw new Error(`no answer within ${timeoutMs} ms`);
    };
    const run = async (either: AbortSignal): Promise<SubjectTrial> => subject.run(trial, either);
    const limit = { signal, timeoutMs, startClock: this.startClock };
    return recordSubject(trial, await withinTime(limit, (ending) => ({ ended: run(ending.signal), late })));
  }

  async close(): Promise<void> {
    const subject = await this.opened?.catch(() => null);
    await subject?.close?.();
  }

  private async open(): Promise<OpenSubject> {
    const { scenario, words } = this.plan;
    const { data } = scenario.subject;
    const { type } = this.type;
    let subject: Partial<OpenSubject> | null | undefined;
    try {
      subject = await this.type.open(data, {
        name: scenario.name,
        draw: (trial, key) => draw(words, trial, STREAM.plugin, hashText(key)) / 0x100000000,
      });
    } catch (cause) {
      throw new Error(`\`open\` of the subject "${type}" ${failedText(cause, new Error('here'))}`, { cause });
    }
    // Code of the user can give anything.
    if (!isOpen(subject)) throw new Error(`\`open\` of the subject "${type}" gave no object with a function \`run\`.`);
    return subject;
  }
}

function isOpen(subject: Partial<OpenSubject> | null | undefined): subject is OpenSubject {
  return typeof subject?.run === 'function';
}
