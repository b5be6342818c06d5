import { changeAnswer } from '../faults/chaos/change-answer.ts';
import { ChaosState, type ToolStrike } from '../faults/chaos/chaos-state.ts';
import { compileChaos } from '../faults/chaos/compile-chaos.ts';
import { attackPrompt } from '../faults/chaos/context-attacks.ts';
import { toolFaultReply } from '../faults/chaos/tool-fault.ts';
import type { CallOptions, Target, TargetAnswer } from '../target/target.ts';
import type { Chaos, LlmFault } from '../types/chaos.ts';
import type { SeedWords } from '../types/plan.ts';

/** What goes wrong around an agent whose own calls are out of sight: at its prompt, on the way to it, at its answer. */
export interface BoundaryChaos {
  begin(trial: number): void;
  /** How often each declared fault fired in this trial, in the order of `faultLabels`. */
  fired(): readonly number[];
  /** Asks through all that strikes this call. Waits are counted, not waited for. */
  ask(target: Asked, prompt: string, signal: AbortSignal): Promise<TargetAnswer>;
}

/** What of a target chaos needs to know. */
export interface Asked extends Pick<Target, 'url' | 'call'> {
  readonly timeoutMs: number;
}

/** All draws follow from `words`, as those of the column's scenario do. */
export function createBoundaryChaos(chaos: Chaos, words: SeedWords): BoundaryChaos {
  const state = new ChaosState(compileChaos(chaos, words));
  return {
    begin: (trial) => state.begin(trial),
    fired: () => [...state.fired],
    ask: async (target, prompt, signal) => {
      const strike = state.onModel();
      if (strike.instead !== null) return insteadOfAnswer(strike.instead.fault, target.timeoutMs);
      const answer = await askOnTheWay(target, attackPrompt(prompt, strike.prompt), { state, signal });
      if (answer.error !== null) return answer;
      const { content, changed } = changeAnswer(answer.text, strike.changes);
      for (const { at } of changed) state.fire(at);
      return { ...answer, text: content };
    },
  };
}

interface OnTheWay {
  readonly state: ChaosState;
  readonly signal: AbortSignal;
}

/** Only where the way to the agent is in sight a fault of tools can strike it. */
async function askOnTheWay(target: Asked, prompt: string, { state, signal }: OnTheWay): Promise<TargetAnswer> {
  const { url, timeoutMs } = target;
  if (url === null) return target.call(prompt, { signal });
  const { hostname, host } = new URL(url);
  const strike = state.onTool({ names: [hostname, host], url });
  const waitMs = strike.waitMs + (strike.fault?.mode === 'timeout' ? strike.fault.delayMs : 0);
  if (strike.fault?.mode === 'timeout' || waitMs >= timeoutMs) return noAnswer(Math.min(waitMs, timeoutMs));
  const answer = await target.call(prompt, { signal, ...responseOf(strike) });
  const latencyMs = answer.latencyMs + waitMs;
  return latencyMs > timeoutMs && answer.error === null ? noAnswer(timeoutMs) : { ...answer, latencyMs };
}

function responseOf({ fault }: ToolStrike): Pick<CallOptions, 'instead'> {
  const reply = fault === null ? null : toolFaultReply(fault);
  return reply === null ? {} : { instead: { ...reply, contentType: null } };
}

function insteadOfAnswer({ mode, delayMs }: LlmFault, timeoutMs: number): TargetAnswer {
  if (mode === 'timeout') return noAnswer(Math.min(delayMs, timeoutMs));
  return { text: '', error: 'the model has reached its rate limit (injected)', latencyMs: 0 };
}

function noAnswer(latencyMs: number): TargetAnswer {
  return { text: '', error: `timed out after ${latencyMs} ms (injected)`, latencyMs };
}
