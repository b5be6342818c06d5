import { PasskError } from '../../errors.ts';
import { BUILTIN_JUDGES } from '../../judges/tunnel/fake-judges.ts';
import {
  evaluateTry,
  foldTry,
  type JudgeTunnelOptions,
  planTunnel,
  type TunnelPlan,
  tunnelOf,
} from '../../judges/tunnel/judge-tunnel.ts';
import type { Protocol } from '../../judges/tunnel/protocol.ts';
import type { ModelOption } from '../../settings/model-options.ts';
import type { JudgeSetting } from '../../types/judges/judge.ts';
import type { JudgeTunnel, TunnelJudge } from '../../types/judges/judge-tunnel.ts';
import type { AskOptions } from './ask-labels.ts';
import { askOwnAnswers } from './ask-own-answers.ts';
import { askOwnPairs } from './ask-own-pairs.ts';
import type { TunnelAsking } from './tunnel-asking.ts';
import { judgeNamed } from './judge-named.ts';

/** Options of `judgedTunnel()`. */
export interface JudgedTunnelOptions extends Omit<JudgeTunnelOptions, 'bias' | 'trials'> {
  /** The name of one of `judges`. */
  readonly judge: string;
  /** Judges as settings declare them. */
  readonly judges: readonly JudgeSetting[];
  /** Models by name, which the judges ask. */
  readonly models?: Readonly<Record<string, ModelOption>>;
  /** Budget, cassette and grants; what paths are relative to. */
  readonly ask?: Omit<AskOptions, 'models'>;
}

/** Pairs, or answers, of which a real judge is asked; as few as tell a bias. */
const PAIRS = 50;

/**
 * The wind tunnel with a judge of the configuration beside the fake ones: it is asked about pairs, or answers, of passk's
 * own that differ in nothing but their place, length or style, and what protocols make of its answers is told as of theirs.
 * Rejects with `USAGE`.
 */
export async function judgedTunnel({
  judge,
  judges,
  models,
  ask = {},
  ...options
}: JudgedTunnelOptions): Promise<JudgeTunnel> {
  const setting = judgeNamed(judge, judges);
  const kind = setting.compares === true ? 'pairs' : 'items';
  const fakes = BUILTIN_JUDGES.filter((one) => one.judges === kind);
  const plan = planTunnel({ pairs: PAIRS, trials: 1, ...options }, { judges: fakes });
  const protocols = protocolsOf(plan, options.protocols !== undefined);
  const asking: TunnelAsking = { setting, plan, protocols, ask: { ...ask, ...(models !== undefined && { models }) } };
  const found = await (kind === 'pairs' ? askOwnPairs(asking) : askOwnAnswers(asking));
  const faked = plan.tries.map((one) => foldTry(one, plan, (trial) => evaluateTry(one, plan, { trial })));
  const all = { ...plan, judges: [...found.shown, ...plan.judges] };
  const tunnel = tunnelOf(all, [...found.protocols, ...faked]);
  const isReal = (name: string): boolean => found.shown.some((one) => one.name === name);
  return {
    ...tunnel,
    asked: found.asked,
    judges: tunnel.judges.map((one) => (isReal(one.name) ? { ...one, faults: shownOf(one.faults) } : one)),
  };
}

/** What a judge is shown. How a real one errs, nobody knows. */
function shownOf({ longer = 0, styled = 0, passing, labels }: TunnelJudge['faults']): TunnelJudge['faults'] {
  return {
    ...(longer !== 0 && { longer }),
    ...(styled !== 0 && { styled }),
    ...(passing !== undefined && { passing }),
    ...(labels !== undefined && { labels }),
  };
}

/** The protocols of a real judge. Repeats cost, so that the built-in ones have none; other judges are ensembles of its own. */
function protocolsOf({ tries }: TunnelPlan, isOwn: boolean): readonly Protocol[] {
  const all = [...new Map(tries.map(({ protocol }) => [protocol.name, protocol])).values()];
  if (!isOwn) return all.filter(({ ensemble, repeats }) => ensemble === 1 && repeats === 1);
  const ensemble = all.find((protocol) => protocol.ensemble > 1);
  if (ensemble === undefined) return all;
  throw new PasskError('USAGE', `The protocol "${ensemble.name}" has fake judges take part.`, {
    hint: 'An ensemble of real ones is a judge with several `models`.',
  });
}
