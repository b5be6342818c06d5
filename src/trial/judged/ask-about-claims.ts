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

/**
 * Contexts in one request to Text Embeddings Inference, which refuses more unless it is told otherwise (`--max-client-batch-size`:
 * https://huggingface.co/docs/text-embeddings-inference/cli_arguments).
 */
const TEI_BATCH = 32;

/** Pairs that one request asks about. */
interface PairGroup {
  /** The position of its first claim. */
  readonly from: number;
  readonly claims: readonly string[];
  readonly contexts: readonly string[];
}

/** A reranker has one query in each request; embeddings of all texts come at once. */
function pairGroups({ claims, contexts }: Round['shown'], { endpoint }: JudgeModel): readonly PairGroup[] {
  if (endpoint?.provider === 'embeddings') return [{ from: 0, claims, contexts }];
  const most = endpoint?.provider === 'rerank' ? Math.max(1, contexts.length) : TEI_BATCH;
  // Without contexts it is asked as well, and says that there is nothing to score.
  const starts = contexts.length === 0 ? [0] : contexts.flatMap((_, at) => (at % most === 0 ? [at] : []));
  return claims.flatMap((claim, from) =>
    starts.map((start) => ({ from, claims: [claim], contexts: contexts.slice(start, start + most) })),
  );
}

async function askScorer({ judge, model, repeat, shown, ask }: Round): Promise<Answered> {
  const { claims } = shown;
  const groups = pairGroups(shown, model);
  const replies = await Promise.all(
    groups.map((group, order) =>
      ask({
        model,
        question: scoringQuestion(group.claims, group.contexts),
        repeat,
        order,
        orders: groups.length,
      }),
    ),
  );
  const lines = replies.flatMap(({ line }) => line ?? []);
  const failed = (problem: string): Answered => ({
    answer: { model: model.name, repeat, problem, verdicts: [] },
    lines,
  });
  // The context that supports a claim best decides, whichever request it was in.
  const scores = claims.map(() => 0);
  for (const [at, { from, ...group }] of groups.entries()) {
    const { problem = null, text = '' } = replies[at] ?? {};
    if (problem !== null) return failed(problem);
    const reading = readPairScores(text, group.claims.length, group.contexts.length);
    if (!reading.ok) return failed(reading.message);
    for (const [i, score] of reading.scores.entries()) scores[from + i] = Math.max(scores[from + i] ?? 0, score);
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
