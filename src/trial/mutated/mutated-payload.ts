import type { Recorder } from '../../engine/trial-state.ts';
import type { Ports } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import { withPrompt } from '../../values/with-prompt.ts';
import { askMutant, takesModel } from './ask-mutation.ts';

export interface PromptAsking {
  /** What the model is asked through that changes the prompt. */
  readonly ports: Ports;
  readonly trial: number;
  /** Aborted when the run ends; null: it ends by itself. */
  readonly stop: AbortSignal | null;
  /** Is told what became of the prompt; null: nobody is. */
  readonly recorder: Recorder | null;
}

/** The payload of a trial of a workflow whose prompt a model changes; undefined: that of its trigger. */
export async function mutatedPayload(
  { subject: { mutation, prompt, trigger } }: WorkflowScenario,
  { ports, trial, stop, recorder }: PromptAsking,
): Promise<Json | undefined> {
  if (mutation === undefined || prompt === undefined || !takesModel(mutation)) return undefined;
  const text = await askMutant(mutation, prompt, {
    ask: (request, at) => ports.ask(request, at, stop ?? undefined),
    trial,
    message: 1,
  });
  recorder?.event({ kind: 'prompt', walk: '', text, intended: prompt });
  return withPrompt(trigger.payload, mutation.at, text);
}

/** The time of what begins now. */
export function timeFromNow(time: RealTime): RealTime {
  const begunUs = time.elapsedUs();
  return { elapsedUs: () => time.elapsedUs() - begunUs, alarm: (us, ring) => time.alarm(us, ring) };
}
