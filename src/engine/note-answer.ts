import type { Answer, Port, Request } from '../plugin/request.ts';
import { CAPABILITIES } from '../types/capability.ts';
import type { Json } from '../types/json.ts';
import type { TokenUsage } from '../types/message.ts';
import type { GraphNode } from './graph.ts';
import { keepDenial } from './keep-request.ts';
import { COUNTER, type TrialState } from './trial-state.ts';
import { isUnanswered } from './mcp/mcp-exchange.ts';
import { replyEvent } from './step-events.ts';
import type { WalkState } from './walk-state.ts';

/** Counts and records what an answer says about the trial, before the step goes on with it. */
export function noteAnswer(walk: WalkState, node: GraphNode, request: Request, answer: Answer): void {
  const { trialState } = walk;
  const { reply } = answer;
  if (reply.kind === 'model') {
    if (reply.usage === null) noteUntold(trialState, request.port === 'model' ? request.backend : 'default');
    countCall(trialState, reply.usage ?? NO_USAGE);
  } else if (reply.kind === 'error' && reply.usage !== undefined) {
    // What was withheld is paid for like any answer.
    countCall(trialState, reply.usage);
  } else if (
    reply.kind === 'value' &&
    request.port === 'file' &&
    request.op === 'write' &&
    trialState.rules.dryRun !== true
  ) {
    trialState.count(COUNTER.writtenBytes, writtenBytes(reply.value));
  } else if (request.port === 'client' && request.op === 'elicitation' && isUnanswered(reply)) {
    trialState.declined.push({ server: request.server ?? '', message: request.message });
  }
  if (answer.fault !== null) {
    trialState.count(COUNTER.faults, 1);
    observe(walk, FAULT_BIT);
  }
  const denied = reply.kind === 'error' && reply.denied;
  if (denied) {
    trialState.count(COUNTER.policyDenials, 1);
    if (trialState.rules.keepRequests) keepDenial(trialState, node, request, reply.message);
    observe(walk, DENIAL_BIT[request.port] ?? -1);
    if (walk.address.fromModel) observe(walk, INJECTION_BIT);
  }
  const { recorder } = trialState;
  if (recorder === null) return;
  if (answer.fault !== null)
    recorder.event({ ...walk.place(), kind: 'fault', fault: answer.fault, message: `on a request of ${node.id}` });
  if (denied && reply.kind === 'error') {
    recorder.event({
      ...walk.place(),
      kind: 'denial',
      port: request.port,
      message: reply.message,
      fromModel: walk.address.fromModel,
    });
  }
  recorder.event(replyEvent(walk, request.port, answer));
}

type CountedTokens = Pick<TokenUsage, 'promptTokens' | 'completionTokens'>;

function countCall(trialState: TrialState, { promptTokens, completionTokens }: CountedTokens): void {
  trialState.count(COUNTER.llmCalls, 1);
  trialState.count(COUNTER.llmTokens, promptTokens + completionTokens);
  trialState.count(COUNTER.promptTokens, promptTokens);
  trialState.count(COUNTER.completionTokens, completionTokens);
}

/** Nobody can hold a model to a budget that does not tell what it takes: the trial breaks before it spends more. */
function noteUntold(trialState: TrialState, backend: string): void {
  trialState.untoldBy ??= backend;
  if (trialState.rules.maxTokens === Number.POSITIVE_INFINITY) return;
  trialState.breakBy(
    `budget.max_llm_tokens cannot be kept: the model of the backend "${backend}" did not tell the tokens of an answer. Use one that tells its usage, or leave the budget out.`,
  );
}

/** What a model that tells nothing adds to the counters. */
const NO_USAGE: CountedTokens = { promptTokens: 0, completionTokens: 0 };

function writtenBytes(value: Json): number {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 0;
  const { bytes } = value as { readonly bytes?: Json };
  return typeof bytes === 'number' ? bytes : 0;
}

function observe(walk: WalkState, bit: number): void {
  if (bit < 0) return;
  if (bit < 32) walk.trialState.observedLow |= 1 << bit;
  else walk.trialState.observedHigh |= 1 << (bit - 32);
}

/** Position of a capability in the matrix; −1: none of that name. */
export function bitOf(capability: string): number {
  return BITS.get(capability) ?? -1;
}

const BITS = new Map<string, number>(CAPABILITIES.map((id, bit) => [id, bit]));

const FAULT_BIT = bitOf('fault_tolerance');
const INJECTION_BIT = bitOf('security_injection');
const DENIAL_BIT: Readonly<Partial<Record<Port, number>>> = {
  file: bitOf('policy_fs'),
  env: bitOf('policy_env'),
  http: bitOf('policy_http'),
  process: bitOf('policy_shell'),
  mcp: bitOf('policy_mcp'),
};
