import { answerOf, contextsOf } from '../../checks/faithful-material.ts';
import type { NodePositions } from '../../checks/node-positions.ts';
import { claimIds, claimsQuestion, readClaims, splitQuestion } from '../../faithfulness/claims-question.ts';
import { claimScore } from '../../faithfulness/scores.ts';
import { splitClaims } from '../../faithfulness/split-claims.ts';
import { answerOf as answerOfJudge, type JudgeReplyText } from '../../judges/answer-of-judge.ts';
import type { JudgeQuestion, Unjudgeable } from '../../judges/judge-prompt.ts';
import { ruleAnswers, unruled } from '../../judges/rule-answers.ts';
import type { JudgeModel, JudgeRuling, PlannedClaims, PlannedJudge } from '../../types/judges/judge.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import type { RecordView } from '../record/record-view.ts';

/** One question to a model of a judge. */
export interface JudgeAsked {
  readonly model: JudgeModel;
  readonly question: JudgeQuestion | Unjudgeable;
  readonly repeat: number;
  /** 0: as they stand; 1: the other way round. */
  readonly order: number;
  /** What it is asked for; absent: the verdict of the judge. */
  readonly node?: string;
}

/** What one question came to. */
export interface JudgeReply extends JudgeReplyText {
  readonly line: LedgerLine | null;
}

interface ShownTrial {
  readonly record: TrialRecord;
  readonly view: RecordView;
  readonly nodes: NodePositions;
}

interface Verified {
  readonly ruling: JudgeRuling;
  readonly ledger: readonly LedgerLine[];
}

/**
 * Has a judge verify the claims of a trial against its contexts. It is asked where there are enough claims and a context;
 * where not, its ruling holds no answer, and the check fails without it.
 */
export async function verifyClaims(
  judge: PlannedJudge,
  { record, view, nodes }: ShownTrial,
  ask: (asked: JudgeAsked) => Promise<JudgeReply>,
): Promise<Verified> {
  const { claims: planned } = judge;
  if (planned?.faithful === undefined) return { ruling: unruled(judge, 'It has nothing to verify.'), ledger: [] };
  if (record.cuts.length > 0) {
    const why = 'The record was cut, and its claims are not verified as if it were whole.';
    return { ruling: unruled(judge, why), ledger: [] };
  }
  const { faithful, minScore } = planned;
  const split = await splitAnswer(judge, planned, { answer: answerOf(view), ask });
  if (split.claims === null) return { ruling: unruled(judge, split.problem), ledger: split.ledger };
  const { claims: texts } = split;
  const contexts = contextsOf(view, faithful, nodes);
  const claims = { texts, contexts: contexts.length, minScore, score: null };
  if (texts.length < faithful.minClaims || texts.length === 0 || contexts.length === 0) {
    return { ruling: { ...unasked(judge), claims }, ledger: split.ledger };
  }
  const ids = claimIds(texts);
  const asked = judge.models.flatMap((model) =>
    Array.from({ length: judge.repeats }, async (_, repeat) => {
      const question = claimsQuestion({ claims: texts, contexts, background: judge.background, repeat });
      const reply = await ask({ model, question, repeat, order: 0 });
      return { answer: answerOfJudge({ judge, model, repeat, ids }, [reply]), line: reply.line };
    }),
  );
  const replies = await Promise.all(asked);
  const ruling = ruleAnswers(
    judge,
    replies.map(({ answer }) => answer),
    ids,
  );
  const ledger = [...split.ledger, ...replies.flatMap(({ line }) => line ?? [])];
  if (ruling.met === null) return { ruling, ledger };
  const score = claimScore(ruling.criteria.map(({ met }) => met === true));
  return { ruling: { ...ruling, met: (score ?? 1) >= minScore, claims: { ...claims, score } }, ledger };
}

interface Split {
  /** Null: the splitter gave none. */
  readonly claims: readonly string[] | null;
  /** Why; '' with claims. */
  readonly problem: string;
  readonly ledger: readonly LedgerLine[];
}

interface Splitting {
  readonly answer: string;
  readonly ask: (asked: JudgeAsked) => Promise<JudgeReply>;
}

async function splitAnswer(
  { name, background }: PlannedJudge,
  { splitter }: PlannedClaims,
  { answer, ask }: Splitting,
): Promise<Split> {
  if (splitter === undefined || answer.trim() === '') return { claims: splitClaims(answer), problem: '', ledger: [] };
  const question = splitQuestion(answer, { background });
  const reply = await ask({ model: splitter, question, repeat: 0, order: 0, node: `${name}/splitter` });
  const ledger = reply.line === null ? [] : [reply.line];
  if (reply.problem !== null) return { claims: null, problem: reply.problem, ledger };
  const reading = readClaims(reply.text, reply.mark);
  return reading.ok
    ? { claims: reading.claims, problem: '', ledger }
    : { claims: null, problem: reading.message, ledger };
}

/** Nobody was asked: what fails is not what the judge says. */
function unasked({ name }: PlannedJudge): JudgeRuling {
  return { judge: name, met: true, problem: null, criteria: [], answers: [] };
}
