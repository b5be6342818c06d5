import type { ModelProvider } from '../../../types/model-endpoint.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openai, openaiCompatible } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Provider } from './protocol.ts';

/** The protocols of providers. */
export const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  openai,
  'openai-responses': openaiResponses,
  'openai-compatible': openaiCompatible,
  anthropic,
  gemini,
};
