import type { CompiledSubject, SubjectRunner } from '../record/record-program.ts';
import type { TrialRecord } from '../../types/record.ts';
import { JudgePhase, type JudgePhaseParts } from './judge-phase.ts';

/** A subject whose trials are shown to judges when they have ended; their records carry the rulings. */
export function judgedSubject({ readNow: _, ...subject }: CompiledSubject, parts: JudgePhaseParts): CompiledSubject {
  return { ...subject, openRunner: () => new JudgedRunner(subject.openRunner(), new JudgePhase(parts)) };
}

class JudgedRunner implements SubjectRunner {
  private readonly inner: SubjectRunner;
  private readonly phase: JudgePhase;

  constructor(inner: SubjectRunner, phase: JudgePhase) {
    this.inner = inner;
    this.phase = phase;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const record = await this.inner.run(trial, signal);
    if (signal.aborted) return record;
    const { rulings, ledger } = await this.phase.judge(record, signal);
    if (rulings.length === 0) return record;
    return { ...record, ledger: [...record.ledger, ...ledger], rulings };
  }
}
