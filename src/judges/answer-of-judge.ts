import { type PairOutcome, swappedOutcome } from '../stats/judged/position-bias.ts';
import { type JudgeAnswer, type JudgeModel, type PlannedJudge, PREFERRED } from '../types/judges/judge.ts';
import { readPairVerdict } from './read-pair-verdict.ts';
import { readRubricVerdict } from './read-rubric-verdict.ts';

/** The text of a judge's reply to one question. */
export interface JudgeReplyText {
  /** Why there is none; null: there is. */
  readonly problem: string | null;
  readonly text: string;
  /** That of the question. */
  readonly mark: string;
}

interface Round {
  readonly judge: PlannedJudge;
  readonly model: JudgeModel;
  readonly repeat: number;
  /** What it rules on; absent: its criteria. */
  readonly ids?: readonly string[];
}

/** What a model of a judge says in one round: one reply by a rubric, or two of a comparison, which both must be read. */
export function answerOf({ judge, model, repeat, ids }: Round, replies: readonly JudgeReplyText[]): JudgeAnswer {
  const failed = (problem: string): JudgeAnswer => ({ model: model.name, repeat, problem, verdicts: [] });
  const silent = replies.find(({ problem }) => problem !== null);
  if (silent?.problem != null) return failed(silent.problem);
  const [reply, turned] = replies;
  if (reply === undefined) return failed('Nothing was asked.');
  if (judge.against === undefined) {
    const criteria = ids ?? judge.criteria.map(({ id }) => id);
    const reading = readRubricVerdict(reply.text, criteria, reply.mark);
    if (!reading.ok) return failed(reading.message);
    const verdicts = reading.verdicts.map(({ criterion, met, reason }) => ({ criterion, met, reason }));
    return { model: model.name, repeat, problem: null, verdicts };
  }
  const asFirst = readPairVerdict(reply.text, reply.mark);
  const asSecond = readPairVerdict(turned?.text ?? '', turned?.mark ?? '');
  if (!asFirst.ok) return failed(asFirst.message);
  if (!asSecond.ok) return failed(asSecond.message);
  const orders = { first: OUTCOMES[asFirst.verdict][0], second: OUTCOMES[asSecond.verdict][1] };
  const outcome = swappedOutcome(orders);
  const met = outcome === 'win' || (outcome === 'tie' && judge.against.ties === true);
  const reason = `${WORDS[outcome]}: as the first ${SAYS[orders.first]}, as the second ${SAYS[orders.second]}`;
  return { model: model.name, repeat, problem: null, verdicts: [{ criterion: PREFERRED, met, reason }], orders };
}

/** What a verdict says of the trial where it stands first, and where it stands second. */
const OUTCOMES: Readonly<Record<'A' | 'B' | 'tie', readonly [PairOutcome, PairOutcome]>> = {
  A: ['win', 'loss'],
  B: ['loss', 'win'],
  tie: ['tie', 'tie'],
};

const WORDS: Readonly<Record<PairOutcome, string>> = { win: 'better', loss: 'worse', tie: 'as good' };
const SAYS: Readonly<Record<PairOutcome, string>> = { win: 'better', loss: 'worse', tie: 'as good' };
