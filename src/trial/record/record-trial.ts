import type { SeenFile } from '../../effects/trial-world.ts';
import type { Reply, Request } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import type { Call, Ending, TrialRecord, Turn, WorkflowFacts, WorldChange } from '../../types/record.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import type { TraceEvent } from '../../types/trace.ts';
import type { Outcome } from '../../types/trial.ts';
import { answerTurn, newCall, newRecord, promptTurn } from '../../values/blank-record.ts';
import { cutRecord } from './cut-record.ts';
import { ledgerOf } from './ledger-of.ts';
import { outcomeAnswer } from './outcome-answer.ts';
import { requestNames } from './request-names.ts';

/** A trial of a workflow as its recorder and its engine know it. */
export interface RecordedTrial {
  readonly trial: number;
  readonly scenario: WorkflowScenario;
  readonly events: readonly TraceEvent[];
  /** Null: the trial is broken. */
  readonly outcome: Outcome | null;
  readonly brokenBy: string | null;
  readonly erroredNode: string | null;
  /** The last output of each top-level node that gave one. */
  readonly outputs: Readonly<Record<string, Json>>;
  /** What stands at a path when the trial has ended. */
  readonly fileAt: (path: string) => SeenFile | null;
  readonly struck: TrialRecord['struck'];
}

/** The record of a trial of a workflow: credentials hidden, texts well-formed, and cut where they are too long. */
export function recordTrial(recorded: RecordedTrial): TrialRecord {
  const { trial, outcome, events, struck } = recorded;
  const turns = outcome === null ? [] : workflowTurns(recorded, outcome);
  const calls = callsOf(events, Math.max(0, turns.length - 1));
  return cutRecord(
    newRecord({
      trial,
      ending: endingOf(recorded),
      turns,
      calls,
      ledger: ledgerOf(events),
      struck,
      world: worldOf(recorded, calls),
      counters: outcome === null ? {} : countersOf(outcome, events),
      workflow: outcome === null ? null : factsOf(recorded, outcome),
    }),
  );
}

/** The record of a trial of which only is known why it is broken. */
export function brokenRecord(trial: number, reason: string): TrialRecord {
  return cutRecord(newRecord({ trial, ending: { status: 'broken', reason } }));
}

function endingOf({ outcome, brokenBy }: RecordedTrial): Ending {
  if (outcome === null) return { status: 'broken', reason: brokenBy ?? 'The trial has no outcome.' };
  const { status, stoppedBy, reason, category } = outcome;
  return { status, stoppedBy, reason, category };
}

/** A workflow is asked by its trigger and answers with the reply that it shaped, else with its final value. */
export function workflowTurns(
  { scenario, events, struck }: Pick<RecordedTrial, 'scenario' | 'events' | 'struck'>,
  outcome: Outcome,
): readonly Turn[] {
  const prompt = events.find((event) => event.kind === 'prompt')?.text ?? scenario.subject.prompt;
  const { status, reason, elapsedUs } = outcome;
  const problem = status === 'completed' ? null : `the run ended as ${status}${reason === null ? '' : `: ${reason}`}`;
  const answer = outcomeAnswer(outcome) ?? '';
  const { llmTokens = null, promptTokens = null, completionTokens = null } = countersOf(outcome, events);
  const said = answerTurn(answer, {
    problem,
    struck: [...new Set((struck ?? []).map(({ kind }) => kind))],
    showsCalls: true,
    latencyMs: elapsedUs / 1000,
    tokens: llmTokens,
    usage: { promptTokens, completionTokens, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
  });
  return prompt === undefined ? [said] : [promptTurn(prompt), said];
}

/** Without tokens, where an answer of a model did not tell them. */
function countersOf({ counters }: Outcome, events: readonly TraceEvent[]): TrialRecord['counters'] {
  const isUntold = events.some((event) => event.kind === 'reply' && tellsNoUsage(event.reply as unknown as Reply));
  if (!isUntold) return counters;
  const { llmTokens: _all, promptTokens: _asked, completionTokens: _answered, ...others } = counters;
  return others;
}

function tellsNoUsage(reply: Reply): boolean {
  return reply.kind === 'model' && reply.usage === null;
}

/** Each request with the reply that follows it in its walk. Children's requests are the children's own calls. */
function callsOf(events: readonly TraceEvent[], turn: number): readonly Call[] {
  const calls: Mutable<Call>[] = [];
  const open = new Map<string, Mutable<Call>>();
  for (const event of events) {
    if (event.kind === 'request' && event.port !== 'children') {
      const call = openCall(event.node, event.request as unknown as Request, turn);
      calls.push(call);
      open.set(event.walk, call);
    } else if (event.kind === 'fault') {
      const call = open.get(event.walk);
      if (call !== undefined) call.struckBy = [...call.struckBy, event.fault];
    } else if (event.kind === 'reply' && event.port !== 'children') {
      const call = open.get(event.walk);
      if (call !== undefined) close(call, event.reply as unknown as Reply | { readonly kind: 'broken' });
      open.delete(event.walk);
    }
  }
  return calls;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function openCall(by: string, request: Request, turn: number): Mutable<Call> {
  const { port, ...args } = request;
  return newCall({ port, names: requestNames(by, request), by, turn, args: args as unknown as Json });
}

function close(call: Mutable<Call>, reply: Reply | { readonly kind: 'broken' }): void {
  switch (reply.kind) {
    case 'error':
      call.problem = `${reply.category}: ${reply.message}`;
      call.denied = reply.denied;
      return;
    case 'value':
      call.result = reply.value;
      return;
    case 'model': {
      const { parts, finish, usage } = reply;
      call.result = { parts, finish, usage } as unknown as Json;
      return;
    }
    default:
  }
}

/** Files that the trial wrote, and those that its expectations name. */
function worldOf({ scenario, fileAt }: RecordedTrial, calls: readonly Call[]): WorldChange | null {
  const { exist, absent, contain } = scenario.expected.files;
  const written = calls.flatMap(({ port, args, denied }) => {
    const { op, path } = args as { readonly op?: string; readonly path?: string };
    return port === 'file' && op !== 'read' && !denied && path !== undefined ? [path] : [];
  });
  const paths = new Set([...written, ...exist, ...absent, ...Object.keys(contain)]);
  const files: [string, string | null][] = [];
  for (const path of paths) {
    const file = fileAt(path);
    if (file !== null) files.push([path, file.kind === 'dir' ? null : file.content]);
  }
  return paths.size === 0 ? null : { files: Object.fromEntries(files), state: null };
}

function factsOf({ events, erroredNode, outputs }: RecordedTrial, outcome: Outcome): WorkflowFacts {
  const { path, lastNode, finalValue, response, elapsedUs } = outcome;
  const branches: { readonly node: string; readonly branch: string }[] = [];
  for (const event of events) {
    if (event.kind !== 'output' || event.walk !== '' || event.branch === null) continue;
    branches.push({ node: event.node, branch: event.branch });
  }
  return {
    path,
    lastNode,
    erroredNode,
    finalValue,
    response,
    outputs,
    branches,
    elapsedUs,
  };
}
