import type { ModelProvider } from '../../../types/model-endpoint.ts';
import { anthropic } from './anthropic.ts';
import { embeddings } from './embeddings.ts';
import { gemini } from './gemini.ts';
import { openai, openaiCompatible } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { predictTei } from './predict-tei.ts';
import type { Provider } from './protocol.ts';
import { rerank, rerankTei } from './rerank.ts';

/** The protocols of providers. */
export const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  openai,
  'openai-responses': openaiResponses,
  'openai-compatible': openaiCompatible,
  anthropic,
  gemini,
  embeddings,
  rerank,
  'rerank-tei': rerankTei,
  'predict-tei': predictTei,
};
