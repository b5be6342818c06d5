import { answerOf, contextsOf } from '../../checks/faithful/faithful-material.ts';
import type { NodePositions } from '../../checks/node-positions.ts';
import { claimIds, readClaims, splitQuestion, whyTooMuch } from '../../faithfulness/claims-question.ts';
import { claimScore, pairScoreMean } from '../../faithfulness/scores.ts';
import { splitClaims } from '../../faithfulness/split-claims.ts';
import { ruleAnswers, unruled } from '../../judges/rule-answers.ts';
import type { JudgeRuling, PlannedClaims, PlannedJudge } from '../../types/judges/judge.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import type { RecordView } from '../record/record-view.ts';
import { askRound } from './ask-about-claims.ts';
import type { AskJudge } from './judge-asked.ts';

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
  ask: AskJudge,
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
  const claims = { texts, contexts: contexts.length, minScore, score: null, pairScore: null };
  if (texts.length < faithful.minClaims || texts.length === 0 || contexts.length === 0) {
    return { ruling: { ...unasked(judge), claims }, ledger: split.ledger };
  }
  const tooMuch = whyTooMuch({ claims: texts, contexts });
  if (tooMuch !== null) return { ruling: unruled(judge, tooMuch.message), ledger: split.ledger };
  const rounds = judge.models.flatMap((model) =>
    Array.from({ length: judge.repeats }, (_, repeat) =>
      askRound({ judge, model, repeat, shown: { claims: texts, contexts }, ask }),
    ),
  );
  const answered = await Promise.all(rounds);
  const answers = answered.map(({ answer }) => answer);
  const ruling = ruleAnswers(judge, answers, claimIds(texts));
  const ledger = [...split.ledger, ...answered.flatMap(({ lines }) => lines)];
  if (ruling.met === null) return { ruling, ledger };
  const score = claimScore(ruling.criteria.map(({ met }) => met === true));
  const pairScore = pairScoreMean(answers.flatMap(({ scores = [] }) => scores));
  return { ruling: { ...ruling, met: (score ?? 1) >= minScore, claims: { ...claims, score, pairScore } }, ledger };
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
  readonly ask: AskJudge;
}

async function splitAnswer(
  { name, background }: PlannedJudge,
  { splitter }: PlannedClaims,
  { answer, ask }: Splitting,
): Promise<Split> {
  if (splitter === undefined || answer.trim() === '') return { claims: splitClaims(answer), problem: '', ledger: [] };
  const question = splitQuestion(answer, { background });
  const reply = await ask({ model: splitter, question, repeat: 0, order: 0, orders: 1, node: `${name}/splitter` });
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
