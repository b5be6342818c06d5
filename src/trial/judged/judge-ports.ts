import { brokenAnswer } from '../../effects/answers.ts';
import { LIVE_CALL, type LiveCallPayload, liveModelFunction } from '../../plugin/live-node.ts';
import type { Address, Answer, ModelRequest, Request } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import { modelsOfJudge } from '../../judges/models-of-judge.ts';
import type { JudgeModel } from '../../types/judges/judge.ts';
import { JUDGE_CALL, type JudgeCallPayload, type ModuleQuestion } from '../../types/judges/judge-call.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { messageOf } from '../../values/message-of.ts';
import { textOf } from '../../values/message-text.ts';
import type { TapedPorts } from '../cassette/tape.ts';
import type { HostCall } from '../live-ports.ts';
import { readModelAnswer } from '../read-model-answer.ts';

/** No limit in practice: real models have time limits of their own, and wait for each other. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;
/** A function of the host that has not answered then never will. */
const FUNCTION_MS = 10 * 60 * 1000;

/** What a judge is asked: as a model, with the question as data where a module answers. */
export interface JudgeRequest extends ModelRequest {
  readonly question?: ModuleQuestion;
}

/** The models of judges, asked through the host: their keys, budget and rate limits are there. */
export class JudgePorts implements TapedPorts {
  private readonly plan: ScenarioPlan;
  private readonly callHost: HostCall | null;
  private readonly models: ReadonlyMap<string, JudgeModel>;

  constructor(plan: ScenarioPlan, callHost: HostCall | null) {
    this.plan = plan;
    this.callHost = callHost;
    const models = (plan.judges ?? []).flatMap(modelsOfJudge);
    this.models = new Map(models.map((model) => [model.backend, model]));
  }

  async ask(request: Request | JudgeRequest, at: Address, signal?: AbortSignal): Promise<Answer> {
    const model = request.port === 'model' ? this.models.get(request.backend) : undefined;
    if (request.port !== 'model' || model === undefined) return brokenAnswer('A judge asks for something else.');
    const { callHost } = this;
    if (callHost === null) return brokenAnswer('Nobody is there who asks a judge.');
    const { trial, walk, node, visit, attempt, call } = at;
    const address = { scenario: this.plan.index, trial, walk, node, visit, attempt, call };
    try {
      if (model.module !== undefined && 'question' in request && request.question !== undefined) {
        const payload: JudgeCallPayload = { module: model.module, question: request.question };
        // Plain data by its type. Time limits are the host's, which also has questions wait for each other.
        return answerOf(await callHost(JUDGE_CALL, payload as unknown as Json, LONGEST_MS, signal));
      }
      const value =
        model.endpoint === undefined
          ? await callHost(liveModelFunction(model.name), spoken(request), FUNCTION_MS, signal)
          : await callHost(LIVE_CALL, payloadOf(request, address), LONGEST_MS, signal);
      return answerOf(value);
    } catch (error) {
      return brokenAnswer(messageOf(error));
    }
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** Judges write nothing. */
  noteWritten(): void {}
}

type JudgeAddress = Omit<LiveCallPayload, keyof ModelRequest>;

function payloadOf({ backend, messages, maxTokens }: ModelRequest, address: JudgeAddress): Json {
  const payload: LiveCallPayload = { backend, messages, maxTokens, ...address };
  // Plain data by its type.
  return payload as unknown as Json;
}

function spoken({ backend, messages, maxTokens }: ModelRequest): Json {
  const texts = messages.map((message) => ({ ...message, content: textOf(message.parts) }));
  return { backend, messages: texts, maxTokens } as unknown as Json;
}

function answerOf(value: Json): Answer {
  const broken = typeof value === 'object' && value !== null && 'broken' in value ? value.broken : null;
  if (typeof broken === 'string') return brokenAnswer(broken);
  const reply = readModelAnswer(value);
  if (reply === null) return brokenAnswer('Its model must return { content }, { parts } or { error }.');
  return { reply, delayUs: 0, source: 'host', fault: null };
}
