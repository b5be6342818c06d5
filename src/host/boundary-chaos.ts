import { changeAnswer } from '../faults/chaos/change-answer.ts';
import { ChaosState, type ModelStrike } from '../faults/chaos/chaos-state.ts';
import type { ToolStrike } from '../faults/chaos/tool-strike.ts';
import type { CompiledChaos } from '../faults/chaos/compile-chaos.ts';
import { attackPrompt } from '../faults/chaos/context-attacks.ts';
import { toolFaultReply } from '../faults/chaos/tool-fault-types.ts';
import type { CallOptions, Target, TargetAnswer } from '../agents/target.ts';
import type { LlmFault } from '../types/chaos.ts';

/** What goes wrong around an agent whose own calls are out of sight: at its prompt, on the way to it, at its answer. */
export interface BoundaryChaos {
  /** How often each declared fault fired so far, in the order of `faultLabels`. */
  fired(): readonly number[];
  /** Says what strikes the next prompt. Prompts come in order; the calls themselves may overlap. */
  next(prompt: string, url: string | null): StruckCall;
}

/** One call with all that strikes it. */
export interface StruckCall {
  /** Asks through it. Waits are counted, not waited for. */
  ask(target: ChaosTarget, signal: AbortSignal): Promise<BoundaryAnswer>;
}

export interface BoundaryAnswer extends TargetAnswer {
  /** False: a fault came before the agent was asked. */
  readonly isAsked: boolean;
  /** Kinds of faults that struck, as a sum of `KIND_BITS`. */
  readonly struck: number;
  /** Their labels. */
  readonly struckBy: readonly string[];
  /** The prompt after attacks; null: it was not attacked. */
  readonly sent: string | null;
}

/** What of a target chaos needs to know. */
export interface ChaosTarget extends Pick<Target, 'call'> {
  readonly timeoutMs: number;
}

/** What goes wrong in one trial. */
export function createBoundaryChaos(chaos: CompiledChaos, trial: number): BoundaryChaos {
  const state = new ChaosState(chaos);
  state.begin(trial);
  return {
    fired: () => [...state.fired],
    next: (prompt, url) => {
      const before = [...state.fired];
      const model = state.onModel();
      // Only where the way to the agent is in sight a fault of tools can strike it.
      const tool = model.instead === null && url !== null ? state.onTool(callOf(url)) : null;
      const struck = state.takeStruck();
      const struckBy = state.labels.filter((_, at) => (state.fired[at] ?? 0) > (before[at] ?? 0));
      const attacked = attackPrompt(prompt, model.prompt);
      const facts = { struck, struckBy, sent: model.prompt.length === 0 ? null : attacked };
      return {
        ask: async (target, signal) => {
          const answer = await askThrough({ model, tool }, target, { prompt: attacked, signal });
          if (answer.error !== null) return { ...answer, ...facts };
          const { content, changed } = changeAnswer(answer.text, model.changes);
          for (const { at } of changed) state.fire(at);
          const labels = [...struckBy, ...changed.map(({ label }) => label)];
          return { ...answer, ...facts, text: content, struck: struck | state.takeStruck(), struckBy: labels };
        },
      };
    },
  };
}

type Answered = Omit<BoundaryAnswer, 'struck' | 'struckBy' | 'sent'>;

interface Strikes {
  readonly model: ModelStrike;
  readonly tool: ToolStrike | null;
}

interface OnTheWay {
  readonly prompt: string;
  readonly signal: AbortSignal;
}

function callOf(url: string): { readonly names: readonly string[]; readonly url: string } {
  const { hostname, host } = new URL(url);
  return { names: [hostname, host], url };
}

async function askThrough(
  { model, tool }: Strikes,
  target: ChaosTarget,
  { prompt, signal }: OnTheWay,
): Promise<Answered> {
  if (model.instead !== null) return insteadOfAnswer(model.instead.fault, target.timeoutMs);
  if (tool !== null) return askOnTheWay(tool, target, { prompt, signal });
  return { ...(await target.call(prompt, { signal })), isAsked: true };
}

async function askOnTheWay(strike: ToolStrike, target: ChaosTarget, { prompt, signal }: OnTheWay): Promise<Answered> {
  const { timeoutMs } = target;
  const waitMs = strike.waitMs + (strike.fault?.mode === 'timeout' ? strike.fault.delayMs : 0);
  if (strike.fault?.mode === 'timeout' || waitMs >= timeoutMs) return noAnswer(Math.min(waitMs, timeoutMs));
  const answer = await target.call(prompt, { signal, ...responseOf(strike) });
  const isAsked = strike.fault === null;
  const latencyMs = answer.latencyMs + waitMs;
  if (latencyMs > timeoutMs && answer.error === null) return { ...noAnswer(timeoutMs), isAsked };
  return { ...answer, isAsked, latencyMs };
}

function responseOf({ fault }: ToolStrike): Pick<CallOptions, 'instead'> {
  const reply = fault === null ? null : toolFaultReply(fault);
  return reply === null ? {} : { instead: { ...reply, contentType: null } };
}

function insteadOfAnswer({ mode, delayMs }: LlmFault, timeoutMs: number): Answered {
  if (mode === 'timeout') return noAnswer(Math.min(delayMs, timeoutMs));
  return { text: '', error: 'the model has reached its rate limit (injected)', latencyMs: 0, isAsked: false };
}

function noAnswer(latencyMs: number): Answered {
  return { text: '', error: `timed out after ${latencyMs} ms (injected)`, latencyMs, isAsked: false };
}
