import { PasskError } from '../../errors.ts';
import { createLiveModels, type LiveModels } from '../../intelligence/live/live-models.ts';
import { answeredRecord } from '../../judges/answered-record.ts';
import { type JudgeQuestion, pairQuestion, rubricQuestion, type Unjudgeable } from '../../judges/judge-prompt.ts';
import { type PairVerdict, readPairVerdict } from '../../judges/read-pair-verdict.ts';
import { readRubricVerdict } from '../../judges/read-rubric-verdict.ts';
import { startFakeJudge } from './fake-judge-server.ts';
import { hiddenFacts, hiddenLuck } from '../../judges/server/hidden-facts.ts';
import { modelOfJudge, type WireFaults } from '../../judges/server/served-judge.ts';
import type { Evaluation } from '../../judges/tunnel/evaluation.ts';
import type { ItemAsked } from '../../judges/tunnel/judge-items.ts';
import type { PairAsked } from '../../judges/tunnel/judge-pairs.ts';
import {
  evaluateTry,
  foldTry,
  type JudgeTunnelOptions,
  planTunnel,
  questionsOf,
  type TunnelPlan,
  type TunnelTry,
  tunnelOf,
} from '../../judges/tunnel/judge-tunnel.ts';
import { deriveWords } from '../../random/draw.ts';
import type { JudgeTunnel, TunnelProtocol } from '../../types/judges/judge-tunnel.ts';
import type { TrialRecord } from '../../types/record.ts';
import { textOf } from '../../values/message-text.ts';

/** Options of `servedTunnel()`. */
export interface ServedTunnelOptions extends JudgeTunnelOptions {
  /** Shares of requests that go wrong on the way: `{ limited: 0.05 }`. */
  readonly faults?: Partial<WireFaults>;
}

/** A real judge would be asked for days. */
const MOST_QUESTIONS = 200_000;
const CRITERION = { id: 'good', text: 'The answer is good.' };

/**
 * The wind tunnel with its fake judges behind an address of this machine: each question is written, sent and read as it
 * would be with a real model, half of them streamed. The figures are those of `judgeTunnel` with the same pairs, trials and
 * seed; by default there are 100 pairs and one evaluation. Rejects with `USAGE`.
 */
export async function servedTunnel({ faults = {}, ...options }: ServedTunnelOptions = {}): Promise<JudgeTunnel> {
  const plan = planTunnel(options, { isServed: true });
  const questions = plan.tries.reduce((sum, { judge, protocol }) => {
    const labels = judge.judges === 'items' && protocol.correct !== null ? 2 * judge.faults.labels : 0;
    return sum + (plan.pairs + labels) * plan.trials * questionsOf(protocol);
  }, 0);
  if (questions > MOST_QUESTIONS) {
    throw new PasskError('USAGE', `These are ${questions} questions; a server is asked ${MOST_QUESTIONS} at most.`, {
      hint: 'Take fewer pairs or trials, or judges and protocols of your own.',
    });
  }
  const server = await startFakeJudge({ seed: plan.seed });
  const models = await createLiveModels({ maxTokens: null, maxNanoUsd: null, onSpent: () => undefined });
  try {
    const asking: Asking = { models, url: server.url, faults, plan };
    const protocols: TunnelProtocol[] = [];
    for (const one of plan.tries) {
      const evaluations: Evaluation[] = [];
      for (let trial = 0; trial < plan.trials; trial++) evaluations.push(await evaluateServed(one, trial, asking));
      protocols.push(foldTry(one, plan, (trial) => evaluations[trial] ?? NONE));
    }
    return tunnelOf(plan, protocols);
  } finally {
    await models.close();
    await server.close();
  }
}

const NONE: Evaluation = {
  wins: 0,
  losses: 0,
  ties: 0,
  errors: 0,
  firstShare: null,
  consistency: null,
  rate: null,
  interval: null,
};

interface Asking {
  readonly models: LiveModels;
  readonly url: string;
  readonly faults: Partial<WireFaults>;
  readonly plan: TunnelPlan;
}

/** What is asked does not depend on answers: all questions are found first, asked together, and evaluated then. */
async function evaluateServed(one: TunnelTry, trial: number, asking: Asking): Promise<Evaluation> {
  const pairs: PairAsked[] = [];
  const items: ItemAsked[] = [];
  evaluateTry(one, asking.plan, {
    trial,
    answerPair: (asked) => {
      pairs.push(asked);
      return null;
    },
    answerItem: (asked) => {
      items.push(asked);
      return null;
    },
  });
  const preferred = await Promise.all(pairs.map((asked, at) => askPair(asked, at, asking)));
  const passed = await Promise.all(items.map((asked, at) => askItem(asked, at, asking)));
  let [nextPair, nextItem] = [0, 0];
  return evaluateTry(one, asking.plan, {
    trial,
    answerPair: () => preferred[nextPair++] ?? null,
    answerItem: () => passed[nextItem++] ?? null,
  });
}

async function askPair(
  { judge, pair, isFirst, luck }: PairAsked,
  at: number,
  asking: Asking,
): Promise<PairVerdict | null> {
  const { styled, kin } = judge;
  const candidate = hiddenFacts({ quality: pair.better, length: pair.longer, styled, kin });
  const other = hiddenFacts({ quality: 0, length: 0, styled: 0, kin: 0 });
  // Luck is the candidate's: where it stands second, what is lucky for the first is the rest.
  const forFirst = hiddenLuck({ ...luck, verdict: isFirst ? luck.verdict : 1 - luck.verdict });
  const [first, second] = isFirst ? [candidate, other] : [other, candidate];
  const asked = { A: answered(forFirst, first), B: answered(forFirst, second) };
  const { noise, skill, position, length, style, family } = judge;
  const model = { skill, position, length, style, family, noise };
  const said = await ask(pairQuestion('', asked, { repeat: at }), model, at, asking);
  const reading = said === null ? null : readPairVerdict(said.text, said.mark);
  return reading?.ok === true ? reading.verdict : null;
}

async function askItem({ judge, isGood, luck }: ItemAsked, at: number, asking: Asking): Promise<boolean | null> {
  const record = answered(hiddenLuck(luck), hiddenFacts({ good: isGood ? 1 : 0 }));
  const { sensitivity, specificity, noise } = judge;
  const question = rubricQuestion({ criteria: [CRITERION], background: '' }, record, { repeat: at });
  const said = await ask(question, { sensitivity, specificity, noise }, at, asking);
  const reading = said === null ? null : readRubricVerdict(said.text, [CRITERION.id], said.mark);
  return reading?.ok === true ? (reading.verdicts[0]?.met ?? null) : null;
}

/** The text of the answer with the mark that it must carry; null: there is no answer. */
async function ask(
  question: JudgeQuestion | Unjudgeable,
  judge: Readonly<Record<string, number>>,
  at: number,
  { models, url, faults, plan }: Asking,
): Promise<{ readonly text: string; readonly mark: string } | null> {
  if (!question.ok) throw new PasskError('INTERNAL', question.message);
  const endpoint = {
    provider: 'openai-compatible',
    model: modelOfJudge({ ...judge, ...faults }),
    baseUrl: url,
    stream: at % 2 === 1,
  } as const;
  const address = { scenario: 'tunnel', words: deriveWords(plan.seed, 'tunnel'), backend: 'judge', node: 'judge' };
  const answer = await models.call(
    { endpoint, key: null },
    { messages: question.messages, maxTokens: null },
    { ...address, trial: at, visit: 1, attempt: 1, call: 1 },
    { signal: new AbortController().signal },
  );
  return answer.kind === 'answer' ? { text: textOf(answer.parts), mark: question.mark } : null;
}

/** A trial in which somebody asked, and the subject answered. */
function answered(asked: string, answer: string): TrialRecord {
  return answeredRecord({ prompt: `A task. ${asked}`, answer: `An answer. ${answer}` });
}
