import { costOf } from '../../intelligence/live/model-cost.ts';
import { type JudgeQuestion, rubricQuestion } from '../../judges/judge-prompt.ts';
import { sameFamily } from '../../judges/same-family.ts';
import { readRubricVerdict } from '../../judges/read-rubric-verdict.ts';
import { ruleAnswers, unruled } from '../../judges/rule-answers.ts';
import type { ModelRequest, Ports } from '../../plugin/request.ts';
import type { JudgeAnswer, JudgeModel, JudgeRuling, PlannedJudge } from '../../types/judges/judge.ts';
import type { TokenUsage } from '../../types/message.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import { textOf } from '../../values/message-text.ts';
import { openTape } from '../cassette/trial-tape.ts';
import type { TrialTape } from '../cassette/tape.ts';
import type { HostCall } from '../live-ports.ts';
import { cutRecord } from '../record/cut-record.ts';
import { JudgePorts } from './judge-ports.ts';

export interface JudgePhaseParts {
  readonly plan: ScenarioPlan;
  /** Null where no function of the host can be called, which leaves trials without verdict. */
  readonly callHost: HostCall | null;
  readonly startClock: () => RealTime;
}

/** What judging one trial gave. */
export interface JudgedTrial {
  readonly rulings: readonly JudgeRuling[];
  /** What it cost, of kind `judge`: spent on the evaluation, never by the subject. */
  readonly ledger: readonly LedgerLine[];
}

/**
 * Asks judges about trials that have ended, one trial after the other: every model of every judge, as often as the judge
 * repeats, all at once. A cassette may take down the answers, or give them, apart from those of the trial itself.
 */
export class JudgePhase {
  private readonly parts: JudgePhaseParts;
  private readonly ports: Ports;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;

  constructor(parts: JudgePhaseParts) {
    const { plan, callHost } = parts;
    const inner = new JudgePorts(plan, callHost);
    this.parts = parts;
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost, part: 'judge' });
    this.ports = this.tape?.ports ?? inner;
  }

  /** The trial of the record, ruled on. Never rejects for what judges do; a trial that is broken is shown to nobody. */
  async judge(record: TrialRecord, signal: AbortSignal): Promise<JudgedTrial> {
    const { judges = [] } = this.parts.plan;
    if (record.ending.status === 'broken' || judges.length === 0) return { rulings: [], ledger: [] };
    // What leaves the machine has its credentials hidden.
    const shown = cutRecord(record);
    const { tape } = this;
    try {
      await tape?.begin(record.trial, this.parts.startClock());
      const judged = await Promise.all(judges.map((judge) => this.ask(judge, shown, signal)));
      if (!signal.aborted) await tape?.end();
      return { rulings: judged.map(({ ruling }) => ruling), ledger: judged.flatMap(({ ledger }) => ledger) };
    } finally {
      tape?.drop();
    }
  }

  private async ask(
    judge: PlannedJudge,
    record: TrialRecord,
    signal: AbortSignal,
  ): Promise<{ readonly ruling: JudgeRuling; readonly ledger: readonly LedgerLine[] }> {
    const relative = sameFamily(judge, record);
    if (relative !== null) return { ruling: unruled(judge, relative), ledger: [] };
    const questions: JudgeQuestion[] = [];
    for (let repeat = 0; repeat < judge.repeats; repeat++) {
      const question = rubricQuestion(judge, record, { repeat });
      if (!question.ok) return { ruling: unruled(judge, question.message), ledger: [] };
      questions.push(question);
    }
    const asked = judge.models.flatMap((model) =>
      questions.map((question, repeat) => this.askOnce({ judge, model, question, repeat }, record.trial, signal)),
    );
    const answers = await Promise.all(asked);
    return {
      ruling: ruleAnswers(
        judge,
        answers.map(({ answer }) => answer),
      ),
      ledger: answers.flatMap(({ line }) => line ?? []),
    };
  }

  private async askOnce(
    { judge, model, question, repeat }: AskedOnce,
    trial: number,
    signal: AbortSignal,
  ): Promise<{ readonly answer: JudgeAnswer; readonly line: LedgerLine | null }> {
    const { messages, mark } = question;
    const request: ModelRequest = { port: 'model', backend: model.backend, messages, maxTokens: null, repair: false };
    const at = { trial, walk: model.backend, node: judge.name, visit: repeat + 1, attempt: 1, call: repeat + 1 };
    const { reply } = await this.ports.ask(request, { ...at, fromModel: false }, signal);
    const failed = (problem: string): JudgeAnswer => ({ model: model.name, repeat, problem, verdicts: [] });
    if (reply.kind !== 'model') {
      return { answer: failed('message' in reply ? reply.message : 'There is no answer.'), line: null };
    }
    const line = ledgerLine(model, reply.usage);
    const ids = judge.criteria.map(({ id }) => id);
    const reading = readRubricVerdict(textOf(reply.parts), ids, mark);
    if (!reading.ok) return { answer: failed(reading.message), line };
    const verdicts = reading.verdicts.map(({ criterion, met, reason }) => ({ criterion, met, reason }));
    return { answer: { model: model.name, repeat, problem: null, verdicts }, line };
  }
}

interface AskedOnce {
  readonly judge: PlannedJudge;
  readonly model: JudgeModel;
  readonly question: JudgeQuestion;
  readonly repeat: number;
}

function ledgerLine({ backend, endpoint }: JudgeModel, usage: TokenUsage | null): LedgerLine {
  const price = endpoint?.price;
  const nanoUsd = usage === null || price === undefined ? null : costOf(usage, price);
  return { kind: 'judge', name: backend, attempt: 1, units: 1, usage, nanoUsd };
}
