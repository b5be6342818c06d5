import { claimIds, claimsQuestion } from '../../faithfulness/claims-question.ts';
import { scoringQuestion, readPairScores } from '../../faithfulness/pair-question.ts';
import { answerOf } from '../../judges/answer-of-judge.ts';
import type { JudgeAnswer, JudgeModel, PlannedJudge } from '../../types/judges/judge.ts';
import { isScorer } from '../../types/model-endpoint.ts';
import type { LedgerLine } from '../../types/record.ts';
import type { AskJudge } from './judge-asked.ts';

interface Round {
  readonly judge: PlannedJudge;
  readonly model: JudgeModel;
  readonly repeat: number;
  readonly shown: { readonly claims: readonly string[]; readonly contexts: readonly string[] };
  readonly ask: AskJudge;
}

interface Answered {
  readonly answer: JudgeAnswer;
  readonly lines: readonly LedgerLine[];
}

/** What a model says of each claim: a verdict in words, or a score that is held against the threshold of the judge. */
export async function askRound(round: Round): Promise<Answered> {
  const { judge, model, repeat, shown, ask } = round;
  if (model.endpoint !== undefined && isScorer(model.endpoint)) return askScorer(round);
  const question = claimsQuestion({ ...shown, background: judge.background, repeat });
  const ids = claimIds(shown.claims);
  const claims = shown.claims.map((text, at) => ({ id: ids[at] ?? '', text }));
  const asked = { kind: 'verify', claims, contexts: shown.contexts } as const;
  const reply = await ask({ model, question, repeat, order: 0, orders: 1, shown: asked });
  return {
    answer: answerOf({ judge, model, repeat, ids }, [reply]),
    lines: reply.line === null ? [] : [reply.line],
  };
}

async function askScorer({ judge, model, repeat, shown, ask }: Round): Promise<Answered> {
  const { claims, contexts } = shown;
  // A reranker has one query in each request; embeddings of all texts come at once.
  const groups = model.endpoint?.provider === 'embeddings' ? [claims] : claims.map((claim) => [claim]);
  const replies = await Promise.all(
    groups.map((group, order) =>
      ask({ model, question: scoringQuestion(group, contexts), repeat, order, orders: groups.length }),
    ),
  );
  const lines = replies.flatMap(({ line }) => line ?? []);
  const failed = (problem: string): Answered => ({
    answer: { model: model.name, repeat, problem, verdicts: [] },
    lines,
  });
  const scores: number[] = [];
  for (const [at, { problem, text }] of replies.entries()) {
    if (problem !== null) return failed(problem);
    const reading = readPairScores(text, groups[at]?.length ?? 0, contexts.length);
    if (!reading.ok) return failed(reading.message);
    scores.push(...reading.scores);
  }
  const threshold = judge.claims?.threshold ?? 0;
  const verdicts = claimIds(claims).map((criterion, at) => {
    const score = scores[at] ?? 0;
    const met = score >= threshold;
    const reason = `its score is ${score.toFixed(3)}, ${met ? 'at least' : 'below'} ${threshold}`;
    return { criterion, met, reason };
  });
  return { answer: { model: model.name, repeat, problem: null, verdicts, scores }, lines };
}
