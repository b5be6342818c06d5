import type { LiveAnswer, LiveEndpoint, LiveQuestion } from '../../../src/intelligence/live/live-call.ts';
import {
  createLiveModels,
  type LiveAddress,
  type LiveModels,
  type LiveModelsOptions,
} from '../../../src/intelligence/live/live-models.ts';
import type { MessagePart } from '../../../src/types/message.ts';
import type { ModelEndpoint } from '../../../src/types/model-endpoint.ts';
import type { ModelServer } from '../../support/model-server.ts';
import { textMessage } from '../../../src/values/message-text.ts';

export const KEY = 'sk-test-0123456789';

/** An endpoint of the server that never waits long. */
export function anEndpoint(server: ModelServer, endpoint: Partial<ModelEndpoint> = {}): LiveEndpoint {
  const provider = endpoint.provider ?? 'openai-compatible';
  const baseUrl = provider.startsWith('openai') ? server.openaiUrl : server.url;
  return { endpoint: { provider, model: 'small', baseUrl, ...endpoint }, key: KEY };
}

export function aQuestion(text = 'Say hello.', maxTokens: number | null = 32): LiveQuestion {
  return { messages: [textMessage('user', text)], maxTokens };
}

export function anAddress(trial = 0): LiveAddress {
  return {
    scenario: 'greet',
    words: [1, 2, 3, 4],
    backend: 'default',
    trial,
    node: 'ask',
    visit: 1,
    attempt: 1,
    call: 1,
  };
}

/** Live models for one test; closed when it ends. */
export async function withModels<T>(
  use: (models: LiveModels) => Promise<T>,
  options: Partial<LiveModelsOptions> = {},
): Promise<T> {
  const models = await createLiveModels({ maxTokens: null, maxNanoUsd: null, onSpent: () => undefined, ...options });
  try {
    return await use(models);
  } finally {
    await models.close();
  }
}

/** One call from beginning to end. */
export function callOnce(
  endpoint: LiveEndpoint,
  question = aQuestion(),
  signal: AbortSignal = new AbortController().signal,
  onPart: (part: MessagePart) => void = () => undefined,
): Promise<LiveAnswer> {
  return withModels((models) => models.call(endpoint, question, anAddress(), { signal, onPart }));
}
