import { PasskError } from '../../errors.ts';
import { JUDGE_TUNNEL_SCHEMA, type JudgeTunnel, type TunnelProtocol } from '../../types/judges/judge-tunnel.ts';
import { VERSION } from '../../version.ts';
import { diceOf } from './dice.ts';
import type { Evaluation } from './evaluation.ts';
import { BUILTIN_JUDGES, type FakeJudge, ownJudge } from './fake-judges.ts';
import { type ItemEvaluation, judgeItems } from './judge-items.ts';
import { judgePairs, type PairEvaluation, truthOfPairs } from './judge-pairs.ts';
import { BUILTIN_PROTOCOLS, parseProtocol, type Protocol } from './protocol.ts';

/** Options of `judgeTunnel()`. */
export interface JudgeTunnelOptions {
  /** Default: 0. */
  readonly seed?: number;
  /** Pairs, or single answers, of each evaluation; default: 2,000, at most 100,000. */
  readonly pairs?: number;
  /** Evaluations behind each coverage; default: 100, at most 10,000, and 2e7 pairs in all. */
  readonly trials?: number;
  /** A judge of one's own, by faults such as `{ position: 0.5 }`, in place of the built-in ones. */
  readonly bias?: Readonly<Record<string, number>>;
  /** Protocols of one's own, such as `swap,repeats=3`, in place of the built-in ones. */
  readonly protocols?: readonly string[];
}

/** Of intervals at 95 %: 100 evaluations of a protocol that is right fall below in one of ten thousand. */
const MIN_COVERAGE = 0.85;
const MOST = { pairs: 100_000, trials: 10_000, both: 20_000_000 };
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

/**
 * Judges pairs and single answers by fake judges whose faults are known, under protocols, again and again, and says which
 * protocols recover the truth. Nobody is asked. The same options give the same document. Throws `USAGE`.
 */
export function judgeTunnel(options: JudgeTunnelOptions = {}): JudgeTunnel {
  const plan = planTunnel(options);
  return tunnelOf(
    plan,
    plan.tries.map((one) => foldTry(one, plan, (trial) => evaluateTry(one, plan, { trial }))),
  );
}

/** A fake judge under a protocol. */
export interface TunnelTry {
  readonly judge: FakeJudge;
  readonly protocol: Protocol;
}

/** What is tried, and how often. */
export interface TunnelPlan {
  readonly seed: number;
  readonly pairs: number;
  readonly trials: number;
  readonly isServed: boolean;
  readonly judges: readonly FakeJudge[];
  readonly tries: readonly TunnelTry[];
}

export interface PlanTunnelOptions {
  readonly isServed?: boolean;
  /** Those that are tried where nobody describes one; absent: all built-in ones. */
  readonly judges?: readonly FakeJudge[];
}

/** Throws `USAGE` for what cannot be tried. */
export function planTunnel(
  options: JudgeTunnelOptions,
  { isServed = false, judges: builtin = BUILTIN_JUDGES }: PlanTunnelOptions = {},
): TunnelPlan {
  const { seed = 0, bias, protocols: words } = options;
  const { pairs = isServed ? 100 : 2000, trials = isServed ? 1 : 100 } = options;
  checkWhole('seed', seed, 0, LARGEST_SEED);
  checkWhole('pairs', pairs, 1, MOST.pairs);
  checkWhole('trials', trials, 1, MOST.trials);
  if (pairs * trials > MOST.both) {
    throw new PasskError('USAGE', `${pairs} pairs in ${trials} trials are too many: at most ${MOST.both} in all.`);
  }
  const judges = bias === undefined ? builtin : [ownJudge(bias)];
  const own = words?.map(parseProtocol);
  for (const { name, judges: of } of own ?? []) {
    if (judges.some((judge) => of === null || of === judge.judges)) continue;
    throw new PasskError('USAGE', `The protocol "${name}" fits no judge here.`, {
      hint: 'swap and length are for judges that compare, correct and predict for judges of single answers.',
    });
  }
  const protocols = own ?? BUILTIN_PROTOCOLS;
  const tries = judges.flatMap((judge) =>
    protocols
      .filter((protocol) => protocol.judges === null || protocol.judges === judge.judges)
      .map((protocol) => ({ judge, protocol })),
  );
  return { seed, pairs, trials, isServed, judges, tries };
}

/** One evaluation. The answers of a judge behind an address are given; absent: those of the embedded one. */
export function evaluateTry(
  { judge, protocol }: TunnelTry,
  { seed, pairs }: Pick<TunnelPlan, 'seed' | 'pairs'>,
  { trial, answerPair, answerItem }: TryOptions,
): Evaluation {
  const dice = diceOf(seed, `${judge.name}/${protocol.name}/${trial}`);
  if (judge.judges === 'pairs') {
    return judgePairs(judge.faults, protocol, { pairs, dice, ...(answerPair !== undefined && { answer: answerPair }) });
  }
  const answer = answerItem !== undefined && { answer: answerItem };
  return judgeItems(judge.faults, protocol, { items: pairs, dice, ...answer });
}

export interface TryOptions {
  readonly trial: number;
  readonly answerPair?: PairEvaluation['answer'];
  readonly answerItem?: ItemEvaluation['answer'];
}

/** What all evaluations of a try came to, each asked for once. */
export function foldTry(
  { judge, protocol }: TunnelTry,
  { trials }: Pick<TunnelPlan, 'trials'>,
  evaluationOf: (trial: number) => Evaluation,
): TunnelProtocol {
  const truth = judge.judges === 'pairs' ? truthOfPairs(judge.faults) : judge.faults.passing;
  const first = evaluationOf(0);
  let held = 0;
  let estimated = 0;
  let width = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { interval } = trial === 0 ? first : evaluationOf(trial);
    if (interval === null) continue;
    estimated++;
    width += interval[1] - interval[0];
    if (interval[0] <= truth && truth <= interval[1]) held++;
  }
  const coverage = held / trials;
  const { rate, interval, ...counts } = first;
  return {
    judge: judge.name,
    name: protocol.name,
    swap: protocol.swap,
    questions: questionsOf(protocol),
    ...counts,
    winRate: rate,
    interval,
    truth,
    coverage,
    meanWidth: estimated === 0 ? null : width / estimated,
    recovers: coverage >= MIN_COVERAGE,
  };
}

/** How often a judge is asked about one pair or item. */
export function questionsOf({ ensemble, repeats, swap }: Protocol): number {
  return ensemble * repeats * (swap ? 2 : 1);
}

export function tunnelOf(plan: TunnelPlan, protocols: readonly TunnelProtocol[]): JudgeTunnel {
  const { seed, pairs, trials, isServed, judges } = plan;
  return {
    schema: JUDGE_TUNNEL_SCHEMA,
    passk: VERSION,
    seed,
    pairs,
    trials,
    isServed,
    minCoverage: MIN_COVERAGE,
    judges: judges.map(({ name, summary, judges: of, faults }) => ({
      name,
      summary,
      judges: of,
      faults: { ...faults },
    })),
    protocols,
  };
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new PasskError('USAGE', `\`${name}\` must be a whole number from ${least} to ${most}, got ${value}.`);
}
