import { PasskError } from '../../errors.ts';
import { JUDGE_TUNNEL_SCHEMA, type JudgeTunnel, type TunnelProtocol } from '../../types/judges/judge-tunnel.ts';
import { VERSION } from '../../version.ts';
import { diceOf } from './dice.ts';
import type { Evaluation } from './evaluation.ts';
import { BUILTIN_JUDGES, type FakeJudge, ownJudge } from './fake-judges.ts';
import { judgeItems } from './judge-items.ts';
import { judgePairs, truthOfPairs } from './judge-pairs.ts';
import { BUILTIN_PROTOCOLS, parseProtocol, type Protocol } from './protocol.ts';

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
  const { seed = 0, pairs = 2000, trials = 100, bias, protocols: words } = options;
  checkWhole('seed', seed, 0, LARGEST_SEED);
  checkWhole('pairs', pairs, 1, MOST.pairs);
  checkWhole('trials', trials, 1, MOST.trials);
  if (pairs * trials > MOST.both) {
    throw new PasskError('USAGE', `${pairs} pairs in ${trials} trials are too many: at most ${MOST.both} in all.`);
  }
  const judges = bias === undefined ? BUILTIN_JUDGES : [ownJudge(bias)];
  const own = words?.map(parseProtocol);
  for (const { name, judges: of } of own ?? []) {
    if (judges.some((judge) => of === null || of === judge.judges)) continue;
    throw new PasskError('USAGE', `The protocol "${name}" fits no judge here.`, {
      hint: 'swap and length are for judges that compare, correct and predict for judges of single answers.',
    });
  }
  const protocols = own ?? BUILTIN_PROTOCOLS;
  return {
    schema: JUDGE_TUNNEL_SCHEMA,
    passk: VERSION,
    seed,
    pairs,
    trials,
    minCoverage: MIN_COVERAGE,
    judges: judges.map(({ name, summary, judges: of, faults }) => ({
      name,
      summary,
      judges: of,
      faults: { ...faults },
    })),
    protocols: judges.flatMap((judge) =>
      protocols
        .filter((protocol) => protocol.judges === null || protocol.judges === judge.judges)
        .map((protocol) => tryProtocol(judge, protocol, { seed, pairs, trials })),
    ),
  };
}

function tryProtocol(
  judge: FakeJudge,
  protocol: Protocol,
  { seed, pairs, trials }: { readonly seed: number; readonly pairs: number; readonly trials: number },
): TunnelProtocol {
  const truth = judge.judges === 'pairs' ? truthOfPairs(judge.faults) : judge.faults.passing;
  const evaluate = (trial: number): Evaluation => {
    const dice = diceOf(seed, `${judge.name}/${protocol.name}/${trial}`);
    if (judge.judges === 'pairs') return judgePairs(judge.faults, protocol, { pairs, dice });
    return judgeItems(judge.faults, protocol, { items: pairs, dice });
  };
  const first = evaluate(0);
  let held = 0;
  let known = 0;
  let width = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { interval } = trial === 0 ? first : evaluate(trial);
    if (interval === null) continue;
    known++;
    width += interval[1] - interval[0];
    if (interval[0] <= truth && truth <= interval[1]) held++;
  }
  const coverage = held / trials;
  const { rate, interval, ...counts } = first;
  return {
    judge: judge.name,
    name: protocol.name,
    swap: protocol.swap,
    questions: protocol.ensemble * protocol.repeats * (protocol.swap ? 2 : 1),
    ...counts,
    winRate: rate,
    interval,
    truth,
    coverage,
    meanWidth: known === 0 ? null : width / known,
    recovers: coverage >= MIN_COVERAGE,
  };
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new PasskError('USAGE', `\`${name}\` must be a whole number from ${least} to ${most}, got ${value}.`);
}
