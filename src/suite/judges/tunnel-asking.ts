import type { FakeJudge } from '../../judges/tunnel/fake-judges.ts';
import type { TunnelPlan } from '../../judges/tunnel/judge-tunnel.ts';
import type { Protocol } from '../../judges/tunnel/protocol.ts';
import type { JudgeSetting } from '../../types/judges/judge.ts';
import type { AskedJudge, TunnelProtocol } from '../../types/judges/judge-tunnel.ts';
import type { AskOptions } from './ask-labels.ts';

/** A real judge in the tunnel. */
export interface TunnelAsking {
  readonly setting: JudgeSetting;
  readonly plan: TunnelPlan;
  readonly protocols: readonly Protocol[];
  readonly ask: AskOptions;
}

/** What it came to. */
export interface TunnelAsked {
  readonly shown: readonly FakeJudge[];
  readonly protocols: readonly TunnelProtocol[];
  readonly asked: AskedJudge;
}

/** How often each model is asked under a protocol: as the protocol says, else as the judge. */
export function repeatsOf({ repeats }: Protocol, { repeats: own = 1 }: JudgeSetting): number {
  return repeats > 1 ? repeats : own;
}

/** Who answers, as rulings call them. */
export function modelsOf({ models = [], module }: JudgeSetting): readonly string[] {
  return [...models, ...(module === undefined ? [] : [module])];
}
