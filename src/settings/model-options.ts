import { PasskError } from '../errors.ts';
import { PROVIDERS } from '../intelligence/live/providers/provider.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { isRecord } from '../values/is-json.ts';
import type { Issue } from '../types/issue.ts';
import { ENDPOINT_PROVIDERS, type ModelEndpoint, type ModelProvider } from '../types/model-endpoint.ts';
import type { LiveModel } from './live-functions.ts';

/** What may answer a backend: a function of this process, or a model behind an address. */
export type ModelOption = LiveModel | ModelEndpoint;

/** Models by what they are. */
export interface ResolvedModels {
  readonly models: Readonly<Record<string, LiveModel>>;
  readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
}

export function resolveModels(options: Readonly<Record<string, ModelOption>> = {}): ResolvedModels {
  const models: Record<string, LiveModel> = {};
  const endpoints: Record<string, ModelEndpoint> = {};
  for (const [name, model] of Object.entries(options)) {
    if (typeof model === 'function') models[name] = model;
    else endpoints[name] = model;
  }
  return { models, endpoints };
}

/** What is wrong with models, each as a sentence that names the model. */
export function modelIssues(options: Readonly<Record<string, ModelOption>> = {}): readonly Issue[] {
  return Object.entries(options).flatMap(([name, model]) =>
    typeof model === 'function'
      ? []
      : endpointProblems(model).map((why): Issue => {
          return { code: 'bad_option', severity: 'error', message: `Model "${name}": ${why}.` };
        }),
  );
}

/** Why an endpoint cannot be asked; completes "Model x: …". Also for endpoints that programs without types give. */
export function endpointProblems(endpoint: ModelEndpoint): readonly string[] {
  if (typeof endpoint !== 'object' || endpoint === null) return ['it is neither a function nor a table'];
  const { provider, model, baseUrl, price, topP } = endpoint;
  if (!ENDPOINT_PROVIDERS.includes(provider)) return [`\`provider\` must be one of ${ENDPOINT_PROVIDERS.join(', ')}`];
  const problems: string[] = [];
  if (typeof model !== 'string' || model === '') problems.push('`model` is missing');
  if (baseUrl === undefined) {
    if (PROVIDERS[provider].baseUrl === null)
      problems.push(`\`base_url\` is missing: ${provider} has no address of its own`);
  } else problems.push(...urlProblems(baseUrl));
  for (const name of WHOLE) if (!isWhole(endpoint[name], 1)) problems.push(`\`${name}\` must be a whole number from 1`);
  if (!isWhole(endpoint.maxRetries, 0)) problems.push('`maxRetries` must be a whole number from 0');
  if (topP !== undefined && !(topP > 0 && topP <= 1)) problems.push('`topP` must be a number above 0, 1 at most');
  problems.push(...wordProblems(endpoint), ...headerProblems(endpoint.headers));
  if (price !== undefined && ![price.input, price.output, price.cached ?? 0, price.cacheWrite ?? 0].every(isSum)) {
    problems.push('`price` must hold numbers from 0: input and output, and if you like cached and cacheWrite');
  }
  return problems;
}

/** What the protocol of an endpoint has no word for, and words that are none. */
function wordProblems({ provider, seed, stop, ...endpoint }: ModelEndpoint): readonly string[] {
  const problems = PROVIDERS[provider].lacks
    .filter((name) => ({ seed, stop, ...endpoint })[name] !== undefined)
    .map((name) => `${provider} has no word for \`${name}\`; what its API has stands in \`body\``);
  if (seed !== 'trial' && !isWhole(seed, 0)) problems.push('`seed` must be a whole number from 0, or "trial"');
  if (stop !== undefined && !(Array.isArray(stop) && stop.length > 0 && stop.every(isText))) {
    problems.push('`stop` must be a list of texts');
  }
  const { reasoningEffort, body } = endpoint;
  if (reasoningEffort !== undefined && !isText(reasoningEffort)) problems.push('`reasoningEffort` must be a text');
  if (body !== undefined && !isRecord(body)) problems.push('`body` must be a table');
  return problems;
}

/** Headers that passk writes, or that decide where a request goes. */
const OWN_HEADERS = new Set([
  'accept',
  'anthropic-version',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'x-api-key',
  'x-goog-api-key',
]);

function headerProblems(headers: ModelEndpoint['headers'] = {}): readonly string[] {
  if (!isRecord(headers)) return ['`headers` must be a table'];
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || OWN_HEADERS.has(name.toLowerCase())) {
      return [`\`headers\` must not hold ${JSON.stringify(name)}`];
    }
    return typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)
      ? []
      : [`the header ${JSON.stringify(name)} must be a text of ASCII in one line`];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const WHOLE = [
  'maxTokens',
  'maxConcurrent',
  'requestsPerMinute',
  'tokensPerMinute',
  'timeoutMs',
  'firstByteTimeoutMs',
] as const;

function isWhole(value: unknown, least: number): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= 2 ** 31 - 1)
  );
}

function isSum(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function urlProblems(text: string): readonly string[] {
  if (!URL.canParse(text)) return [`\`base_url\` is no URL: ${JSON.stringify(text)}`];
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return ['`base_url` must begin with http:// or https://'];
  if (username !== '' || password !== '') return ['`base_url` holds a password; name its variable in `api_key_env`'];
  return search === '' && hash === '' ? [] : ['`base_url` must not have a query'];
}

const SHAPE =
  'Write NAME=PROVIDER:MODEL, or NAME=PROVIDER:MODEL@URL, and ,key=VARIABLE behind it; without NAME= it is the backend `default`.';

/**
 * Reads a model as a flag has it: `default=openai:gpt-4o-mini`, `openai-compatible:llama3:8b@http://127.0.0.1:8080/v1`, and either
 * with the variable of its key: `openai-compatible:m@https://models.example/v1,key=MODELS_KEY`. Throws `USAGE` for anything else.
 */
export function parseModel(text: string): readonly [name: string, endpoint: ModelEndpoint] {
  const named = /^([\w.-]+)=(.*)$/s.exec(text);
  const name = named?.[1] ?? 'default';
  const rest = named?.[2] ?? text;
  const [, word = '', model = '', baseUrl, apiKeyEnv] =
    /^([^:]*):(.+?)(?:@(https?:\/\/.+?))?(?:,key=([A-Za-z_]\w*))?$/s.exec(rest) ?? [];
  if (!isProvider(word)) {
    const hint = word === '' ? SHAPE : (hintFor(word, ENDPOINT_PROVIDERS, 'providers') ?? SHAPE);
    throw new PasskError('USAGE', `The model ${JSON.stringify(text)} names no provider.`, { hint });
  }
  const endpoint = {
    provider: word,
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
  };
  const [problem] = endpointProblems(endpoint);
  if (problem !== undefined) throw new PasskError('USAGE', `Model "${name}": ${problem}.`, { hint: SHAPE });
  return [name, endpoint];
}

function isProvider(word: string): word is ModelProvider {
  return ENDPOINT_PROVIDERS.some((provider) => provider === word);
}
