import { nodePositions } from '../../checks/node-positions.ts';
import { costOf } from '../../intelligence/live/model-cost.ts';
import { answerOf } from '../../judges/answer-of-judge.ts';
import { besideTrial, comparedTrials } from '../../judges/compared-trials.ts';
import { type JudgeQuestion, pairQuestion, rubricQuestion, type Unjudgeable } from '../../judges/judge-prompt.ts';
import { sameFamily } from '../../judges/same-family.ts';
import { ruleAnswers, unruled } from '../../judges/rule-answers.ts';
import type { Ports } from '../../plugin/request.ts';
import type { JudgeModel, JudgeRuling, PlannedJudge } from '../../types/judges/judge.ts';
import type { ShownToModule } from '../../types/judges/judge-call.ts';
import type { FinishReason, TokenUsage } from '../../types/message.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { workflowsOf } from '../../types/subjects.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import { textOf } from '../../values/message-text.ts';
import { openTape } from '../cassette/trial-tape.ts';
import type { TrialTape } from '../cassette/tape.ts';
import type { HostCall } from '../live-ports.ts';
import { cutRecord } from '../record/cut-record.ts';
import { RecordView } from '../record/record-view.ts';
import type { JudgeAsked, JudgeReply } from './judge-asked.ts';
import { JudgePorts, type JudgeRequest } from './judge-ports.ts';
import { verifyClaims } from './verify-claims.ts';

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
  /** Top-level nodes by position; []: the subject is no workflow. */
  private readonly nodeIds: readonly string[];

  constructor(parts: JudgePhaseParts) {
    const { plan, callHost } = parts;
    const inner = new JudgePorts(plan, callHost);
    const { subject } = plan.scenario;
    this.parts = parts;
    this.nodeIds = (workflowsOf(subject)[0]?.nodes ?? []).map(({ id }) => id);
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost, part: 'judge' });
    this.ports = this.tape?.ports ?? inner;
  }

  /**
   * The trial of the record, ruled on. Never rejects for what judges do; a trial that is broken is shown to nobody. `beside`:
   * the trial of the same task that judges compare it with; null: the answer that each says.
   */
  async judge(record: TrialRecord, signal: AbortSignal, beside: TrialRecord | null = null): Promise<JudgedTrial> {
    const { judges = [] } = this.parts.plan;
    if (record.ending.status === 'broken' || judges.length === 0) return { rulings: [], ledger: [] };
    // What leaves the machine has its credentials hidden.
    const shown: Shown = { record: cutRecord(record), beside: beside && cutRecord(beside) };
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
    { record, beside }: Shown,
    signal: AbortSignal,
  ): Promise<{ readonly ruling: JudgeRuling; readonly ledger: readonly LedgerLine[] }> {
    const relative = sameFamily(judge, record) ?? (beside === null ? null : sameFamily(judge, beside));
    if (relative !== null) return { ruling: unruled(judge, relative), ledger: [] };
    if (judge.claims !== undefined) {
      const view = new RecordView(record, this.nodeIds);
      return verifyClaims(judge, { record, view, nodes: nodePositions(this.nodeIds) }, (asked) =>
        this.askOnce({ judge, trial: record.trial, ...asked }, signal),
      );
    }
    const rounds = Array.from({ length: judge.repeats }, (_, repeat) => questionsOf(judge, { record, beside }, repeat));
    const unjudgeable = rounds.flat().find(({ question }) => !question.ok)?.question;
    if (unjudgeable?.ok === false) return { ruling: unruled(judge, unjudgeable.message), ledger: [] };
    const asked = judge.models.flatMap((model) =>
      rounds.map(async (questions, repeat) => {
        const at = { judge, model, repeat, trial: record.trial };
        const replies = await Promise.all(
          questions.map((asked, order) => this.askOnce({ ...at, ...asked, order, orders: questions.length }, signal)),
        );
        return { answer: answerOf(at, replies), lines: replies.flatMap(({ line }) => line ?? []) };
      }),
    );
    const answers = await Promise.all(asked);
    return {
      ruling: ruleAnswers(
        judge,
        answers.map(({ answer }) => answer),
      ),
      ledger: answers.flatMap(({ lines }) => lines),
    };
  }

  private async askOnce(
    { judge, model, question, shown, repeat, order, orders, trial, node = judge.name }: AskedOnce,
    signal: AbortSignal,
  ): Promise<JudgeReply> {
    if (!question.ok) return { problem: question.message, text: '', mark: '', line: null };
    const { messages, mark } = question;
    const { criteria, background } = judge;
    const texts = messages.map(({ role, parts }) => ({ role, content: textOf(parts) }));
    const request: JudgeRequest = {
      port: 'model',
      backend: model.backend,
      messages,
      maxTokens: null,
      repair: false,
      ...(model.module !== undefined &&
        shown !== undefined && {
          question: { ...shown, criteria, background, repeat, messages: texts, mark },
        }),
    };
    const call = repeat * orders + order + 1;
    const at = { trial, walk: model.backend, node, visit: repeat + 1, attempt: 1, call };
    const { reply } = await this.ports.ask(request, { ...at, fromModel: false }, signal);
    if (reply.kind !== 'model') {
      return { problem: 'message' in reply ? reply.message : 'There is no answer.', text: '', mark, line: null };
    }
    const text = textOf(reply.parts);
    return { problem: whyNotWhole(reply.finish, text), text, mark, line: ledgerLine(model, reply.usage) };
  }
}

/** Why an answer is not all that a judge had to say: what it would have said behind a verdict is not known. Null: it is. */
function whyNotWhole(finish: FinishReason | null, text: string): string | null {
  const said = text === '' ? 'it said nothing' : `it begins with "${visibleText(text, { longest: SHOWN })}"`;
  if (finish === 'length') return `The answer was cut at a cap of tokens; ${said}.`;
  return finish === 'filtered' ? `The answer is a refusal, or was cut by a filter; ${said}.` : null;
}

/** Characters of such an answer that a message repeats. */
const SHOWN = 80;

/** What is asked in one round: of a judge that compares, the same in both orders. */
function questionsOf(judge: PlannedJudge, { record, beside }: Shown, repeat: number): readonly Asked[] {
  const { against } = judge;
  if (against === undefined) {
    return [{ question: rubricQuestion(judge, record, { repeat }), shown: { kind: 'pointwise', record } }];
  }
  const { trial, other } = beside === null ? comparedTrials(record, against.over) : besideTrial(record, beside);
  return [
    { A: trial, B: other },
    { A: other, B: trial },
  ].map((pair) => ({ question: pairQuestion(judge, pair, { repeat }), shown: { kind: 'pairwise', ...pair } }));
}

/** A trial, and the one that it is compared with; null: the judge says with what. */
interface Shown {
  readonly record: TrialRecord;
  readonly beside: TrialRecord | null;
}

/** One question, in words and as it is shown to modules. */
interface Asked {
  readonly question: JudgeQuestion | Unjudgeable;
  readonly shown: ShownToModule;
}

interface AskedOnce extends JudgeAsked {
  readonly judge: PlannedJudge;
  readonly trial: number;
}

function ledgerLine({ backend, endpoint }: JudgeModel, usage: TokenUsage | null): LedgerLine {
  const price = endpoint?.price;
  const nanoUsd = usage === null || price === undefined ? null : costOf(usage, price);
  return { kind: 'judge', name: backend, attempt: 1, units: 1, usage, nanoUsd };
}
