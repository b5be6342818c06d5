import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ModelEndpoint, ModelProvider } from '../../types/model-endpoint.ts';
import type { ModelAgent } from '../../types/session.ts';
import { numberAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { keyName } from '../contract/agent-parts.ts';

/** Formats of function calls, with what speaks them and the path below its address. */
export const FUNCTION_FORMATS = {
  chat: { provider: 'openai-compatible', path: '/chat/completions' },
  responses: { provider: 'openai-responses', path: '/responses' },
  messages: { provider: 'anthropic', path: '/v1/messages' },
  contents: { provider: 'gemini', path: '/v1beta' },
} as const satisfies Readonly<Record<string, { readonly provider: ModelProvider; readonly path: string }>>;

const KEYS = ['name', 'endpoint', 'model', 'format', 'tools', 'api_key_env', 'temperature', 'max_tokens', 'timeout_ms'];
const KEYS_OF_ENDPOINT = ['format', 'api_key_env', 'temperature', 'max_tokens', 'timeout_ms'];

/** True: the agent is a model that is given the tools as functions. */
export function isModelAgent(table: JsonObject): boolean {
  return textAt(table, 'tools') === 'functions';
}

/** An agent that is a model; null where nobody can say which, which is told. */
export function readModelAgent(
  table: JsonObject,
  { at, system, report }: { readonly at: Pointer; readonly system: string | null; readonly report: Report },
): ModelAgent | null {
  const endpoint = textAt(table, 'endpoint');
  for (const key of Object.keys(table)) {
    if (KEYS.includes(key) && (endpoint !== undefined || !KEYS_OF_ENDPOINT.includes(key))) continue;
    report({
      code: 'unused_key',
      message: KEYS.includes(key)
        ? `"${keyName(at, key)}" has no effect: [models] says how a model without an endpoint is asked.`
        : `"${keyName(at, key)}" has no effect: passk itself asks a model that is given functions.`,
      at: [...at, key],
      part: 'key',
    });
  }
  const model = requiredText(
    table,
    'model',
    at,
    report,
    'It is what the provider calls it, or [models] without an endpoint.',
  );
  if (model === '') return null;
  if (endpoint === undefined) return { kind: 'model', model, endpoint: null, system };
  return {
    kind: 'model',
    model: `agent ${textAt(table, 'name') ?? ''}`,
    endpoint: endpointOf(table, endpoint, model),
    system,
  };
}

function endpointOf(table: JsonObject, address: string, model: string): ModelEndpoint {
  const format = textAt(table, 'format');
  const { provider, path } = FUNCTION_FORMATS[isFormat(format) ? format : 'chat'];
  const [apiKeyEnv, temperature] = [textAt(table, 'api_key_env'), numberAt(table, 'temperature')];
  const [maxTokens, timeoutMs] = [numberAt(table, 'max_tokens'), numberAt(table, 'timeout_ms')];
  return {
    provider,
    model,
    // Written with its path or without.
    baseUrl: address.endsWith(path) ? address.slice(0, -path.length) : address,
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function isFormat(format: string | undefined): format is keyof typeof FUNCTION_FORMATS {
  return format !== undefined && Object.hasOwn(FUNCTION_FORMATS, format);
}
