import { compileNetGrant } from '../effects/granted/net-grant.ts';
import { grantsWord } from '../effects/granted-ports.ts';
import { PROVIDERS } from '../intelligence/live/providers/provider.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';
import type { ModelSource } from '../scenario/registry-view.ts';
import type { ModelEndpoint, PlannedEndpoint } from '../types/model-endpoint.ts';
import type { Permissions } from '../types/permissions.ts';
import type { Workflow, WorkflowBackend } from '../types/workflow.ts';
import { endpointProblems } from '../settings/model-options.ts';
import type { ResolvedLoadOptions } from '../settings/options.ts';

type LiveOptions = Pick<ResolvedLoadOptions, 'models' | 'endpoints' | 'permissions'>;

/** What answers a backend besides turns: the user's own models first, then what the workflow declares and the user grants. */
export function modelSource(backend: string, workflow: Workflow, options: LiveOptions): ModelSource {
  if (Object.hasOwn(options.models, backend)) return { kind: 'function' };
  const found = endpointOf(backend, workflow.backends, options);
  return typeof found === 'string' ? { kind: 'none', hint: found } : { kind: 'endpoint' };
}

/** The endpoint that answers a backend in a live run, or what would give it one. */
export function endpointOf(
  backend: string,
  backends: readonly WorkflowBackend[],
  options: LiveOptions,
): PlannedEndpoint | string {
  const endpoint = Object.hasOwn(options.endpoints, backend) ? options.endpoints[backend] : undefined;
  if (endpoint !== undefined) return { endpoint, isTrusted: true };
  const declared = backends.find(({ name }) => name === backend);
  const flag = `--model ${backend}=PROVIDER:MODEL`;
  if (declared === undefined) return `Name one with ${flag}, or [models.${backend}] in passk.toml.`;
  const found = declaredEndpoint(declared, options.permissions);
  if ('endpoint' in found) return found;
  return `The file declares it itself: ${found.problems.join(' ')} Or name your own model with ${flag}.`;
}

/**
 * The endpoint that a file describes, or all that keeps it from being asked, a sentence each. A file decides neither where the
 * user's keys and prompts go, nor which keys: both need a grant.
 */
export function declaredEndpoint(
  { name: _, model, ...declared }: WorkflowBackend,
  { net, env }: Permissions,
): PlannedEndpoint | { readonly problems: readonly string[] } {
  const endpoint: ModelEndpoint = { ...declared, model: model ?? '' };
  const [problem] = endpointProblems(endpoint);
  if (problem !== undefined) return { problems: [`${problem}.`] };
  const url = canonicalUrl(endpoint.baseUrl ?? PROVIDERS[endpoint.provider].baseUrl ?? '');
  const refused =
    'problem' in url ? `\`base_url\` cannot be used: ${url.problem}.` : compileNetGrant(net).refuseUrl(url);
  const variable = keyVariable(endpoint);
  const isUngranted = variable !== null && !grantsWord(env, variable);
  const problems = [
    ...(refused === null ? [] : [refused]),
    ...(isUngranted ? [`Its key is in ${variable}, which needs --allow-env=${variable}.`] : []),
  ];
  return problems.length > 0 ? { problems } : { endpoint, isTrusted: false };
}

/** The variable that holds an endpoint's key; null: it takes none. */
export function keyVariable({ provider, apiKeyEnv, baseUrl }: ModelEndpoint): string | null {
  if (apiKeyEnv !== undefined) return apiKeyEnv;
  // A provider's usual key goes to the provider, not to whoever speaks its protocol.
  return baseUrl === undefined ? PROVIDERS[provider].apiKeyEnv : null;
}
