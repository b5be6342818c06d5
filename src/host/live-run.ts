import { type GuardedAgent, openGuardedAgent } from '../effects/granted/http/guarded-agent.ts';
import { compileNetGrant } from '../effects/granted/net-grant.ts';
import { PasskError } from '../errors.ts';
import { proxiesIn } from '../intelligence/live/env-proxies.ts';
import { spentOn } from '../intelligence/live/live-counts.ts';
import type { LiveAnswer, LiveEndpoint } from '../intelligence/live/live-call.ts';
import { createLiveModels } from '../intelligence/live/live-models.ts';
import { LIVE_CALL, type LiveCallPayload } from '../plugin/live-node.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';
import { DROP_IN_FLIGHT } from '../pool/executor.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { CallBill } from '../types/cassette.ts';
import type { HasFilePlaces } from '../types/check-places.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import type { LiveCounts, LiveRow } from '../types/live-counts.ts';
import { JUDGE_BACKEND } from '../types/judges/judge.ts';
import { isScorer, type ModelEndpoint, type PlannedEndpoint } from '../types/model-endpoint.ts';
import type { RunPlan } from '../types/plan.ts';
import { AnswerCache } from './answer-cache.ts';
import { headersOfRun } from '../values/trace-context.ts';
import { CallDetail } from './call-detail.ts';
import { keyVariable } from './live-backends.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { Missing } from '../source/missing.ts';

/** The live models of one run. Needs closing. */
export interface LiveRun {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** Aborted when the budget is used up and what was paid for has been counted. */
  readonly spent: AbortSignal;
  counts(): LiveCounts;
  /** What the same run spent before, which its budget includes. */
  charge(rows: readonly LiveRow[]): void;
  notices(): readonly Issue[];
  close(): Promise<void>;
}

type LiveRunOptions = Pick<
  ResolvedRunOptions,
  'maxCost' | 'maxTokens' | 'prices' | 'permissions' | 'cache' | 'traceContext'
>;

export interface LiveRunServices {
  /** Where keys are. */
  readonly env: NodeJS.ProcessEnv;
  /** Is told what each call came to, by position in the plan and trial. */
  readonly onBill?: (scenario: number, trial: number, bill: CallBill) => void;
}

/** Time for trials that got their last answer to be counted before the run is stopped. */
const GRACE_MS = 300;
const CONNECT_TIMEOUT_MS = 10_000;
const NANO = 1e9;

/**
 * Opens what a plan needs to ask real models; null: nothing. All calls are made here, on the host: one queue and one
 * budget for all workers, and no key in any of them. `requireUsable` has looked whether they can be asked.
 */
export async function openLiveRun(
  plan: RunPlan,
  options: LiveRunOptions,
  { env, onBill }: LiveRunServices,
): Promise<LiveRun | null> {
  const planned = plan.scenarios.flatMap(({ liveEndpoints = {} }) => Object.entries(liveEndpoints));
  if (planned.length === 0) return null;
  const cache = options.cache === null ? null : await AnswerCache.open(options.cache);
  const stop = new AbortController();
  let stopping: NodeJS.Timeout | undefined;
  const models = await createLiveModels({
    proxies: proxiesIn(env),
    maxTokens: options.maxTokens,
    maxNanoUsd: options.maxCost === null ? null : Math.floor(options.maxCost * NANO),
    onSpent: () => {
      // No call is in flight any more, and trials that wait for one more will never get it. Nothing else may hold the process.
      stopping = setTimeout(() => stop.abort(DROP_IN_FLIGHT), GRACE_MS);
    },
  });
  const guards = new Map<string, Promise<GuardedAgent | null>>();
  const open = async ({ endpoint, isTrusted }: PlannedEndpoint): Promise<LiveEndpoint> => {
    const variable = keyVariable(endpoint);
    const live = { endpoint: priced(endpoint, options), key: variable === null ? null : (env[variable] ?? null) };
    if (isTrusted) return live;
    const address = endpoint.baseUrl ?? '';
    const opening = guards.get(address) ?? openGuard(address, options);
    guards.set(address, opening);
    const guard = await opening;
    return guard === null ? live : { ...live, dispatcher: guard.dispatcher };
  };
  const ask: HostFunction = async (payload, signal) => {
    // Made by the ports of a trial, so the shape is known.
    const callPayload = payload as unknown as LiveCallPayload;
    const of = plan.scenarios[callPayload.scenario];
    const endpoint = of?.liveEndpoints?.[callPayload.backend];
    if (of === undefined || endpoint === undefined) throw new PasskError('INTERNAL', 'A call names no planned model.');
    const { messages, maxTokens, tools, toolChoice, output, written, inDetail, scenario: _, ...address } = callPayload;
    const question = {
      messages,
      maxTokens,
      ...(tools !== undefined && { tools }),
      ...(toolChoice !== undefined && { toolChoice }),
      ...(output !== undefined && { output }),
      ...(written !== undefined && { written }),
    };
    const at = { ...address, scenario: of.scenario.name, words: of.words };
    const report = (bill: CallBill): void => onBill?.(callPayload.scenario, callPayload.trial, bill);
    const live = await open(endpoint);
    const detail = inDetail === true ? new CallDetail() : null;
    // What is asked in detail is wanted as it comes, with its time.
    const reuse = detail === null && cache !== null ? { reuse: cache.of(at) } : {};
    const answer = await models.call(live, question, at, {
      signal,
      onBill: report,
      ...detail?.options,
      ...reuse,
      traceHeaders: headersOfRun(options.traceContext, of.scenario.name, at.trial),
    });
    return answerData(answer, { signal, detail });
  };
  return {
    functions: { [LIVE_CALL]: ask },
    spent: stop.signal,
    counts: () => models.counts(),
    charge: (rows) => models.charge(spentOn(rows)),
    notices: () => cache?.notices() ?? [],
    close: async () => {
      clearTimeout(stopping);
      await models.close();
      for (const guard of guards.values()) await (await guard)?.close();
      await cache?.close();
    },
  };
}

async function answerData(
  answer: LiveAnswer,
  { signal, detail }: { readonly signal: AbortSignal; readonly detail: CallDetail | null },
): Promise<Json> {
  const more = detail?.data() ?? {};
  switch (answer.kind) {
    case 'answer': {
      const { parts, finish, usage, body } = answer;
      // Plain data by its type.
      return { parts, finish, usage, ...(body !== undefined && { body }), ...more } as unknown as Json;
    }
    case 'error': {
      const { message, isLate, usage } = answer;
      const facts = { ...(isLate === true && { isLate }), ...(usage !== undefined && { usage }) };
      return { error: message, ...facts, ...more } as unknown as Json;
    }
    case 'broken':
      return { broken: answer.message };
    case 'spent':
      // Its trial cannot go on and must not be judged: it waits until the run is stopped.
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }
}

/** A file's address may turn out to be one inside the user's network only when it is connected to. */
async function openGuard(baseUrl: string, { permissions }: LiveRunOptions): Promise<GuardedAgent | null> {
  const url = canonicalUrl(baseUrl);
  if ('problem' in url) return null;
  const grant = compileNetGrant(permissions.net);
  const refuse = (address: string): string | null => grant.refuseAddress(url, address);
  return openGuardedAgent({ refuse, timeoutMs: CONNECT_TIMEOUT_MS });
}

/** The endpoint with the price that the user gave for those without one. */
export function priced(endpoint: ModelEndpoint, { prices }: Pick<LiveRunOptions, 'prices'>): ModelEndpoint {
  if (endpoint.price !== undefined || prices === null) return endpoint;
  const { input, output, cached } = typeof prices === 'number' ? { input: prices, output: prices } : { ...prices };
  return { ...endpoint, price: { input, output, ...(cached !== undefined && { cached }) } };
}

/** Throws `USAGE` with everything that is missing, before the first call. */
export function requireUsable(plan: RunPlan, options: LiveRunOptions, { env, filePlaces }: UsableServices): void {
  const missing = new Missing();
  for (const { scenario, liveEndpoints = {} } of plan.scenarios) {
    for (const [name, { endpoint, isTrusted }] of Object.entries(liveEndpoints)) {
      // What the user's own settings say stands in no file of the suite.
      const placeOf = (key: string): Pick<Issue, 'at'> => {
        const at = isTrusted ? undefined : filePlaces?.ofAgent(scenario, [key]);
        return at === undefined ? {} : { at };
      };
      if (isScorer(endpoint) && !name.startsWith(JUDGE_BACKEND)) {
        missing.add({
          message: `Model "${name}" (${endpoint.provider}) scores pairs of texts, and answers nothing else.`,
        });
      }
      const variable = keyVariable(endpoint);
      if (variable !== null && (env[variable] ?? '') === '') {
        const message = `Model "${name}" takes its key from the environment variable ${variable}, which is not set.`;
        missing.add({ message, ...placeOf('api_key_env') });
      }
      if (options.maxCost !== null && priced(endpoint, options).price === undefined) {
        // What a judge asks is counted under the judge, and stands under its own name in the settings.
        const own = name.startsWith(JUDGE_BACKEND) ? name.slice(name.indexOf('/') + 1) : name;
        const message = `\`maxCost\` needs the price of model "${name}": \`price\` in [models.${own}], or --price.`;
        missing.add({ message, ...placeOf('model') });
      }
    }
  }
  missing.refuse();
}

type UsableServices = Pick<LiveRunServices, 'env'> & HasFilePlaces;
