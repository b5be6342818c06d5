import type { Json, JsonObject } from '../types/json.ts';
import { PasskError } from '../errors.ts';
import type { Scenario, WorkflowSubject } from '../types/scenario.ts';
import type { Trace, TraceEvent } from '../types/trace.ts';
import type { Outcome, TrialResult } from '../types/trial.ts';

/** One trial of a scenario and everything that happened in it. */
export interface RecordedTrial {
  /** What was tried. */
  readonly scenario: Pick<Scenario, 'name' | 'subject'>;
  /** What became of the trial. */
  readonly result: TrialResult;
  /** What happened, step by step; null: nothing was recorded. */
  readonly trace: Trace | null;
}

/**
 * A trial as agentd writes it with `--record`: how the run ended, the ten counters, and an entry for each visit of the
 * top-level walk that did not fail. Times are virtual, in milliseconds, and the ids are those of the trial, so that the
 * same trial gives the same record. Throws `USAGE` for anything but a workflow.
 */
export function runRecord({ scenario, result, trace }: RecordedTrial): JsonObject {
  const { subject, name } = scenario;
  if (subject.kind !== 'workflow') {
    throw new PasskError('USAGE', `"${name}" tries an agent, and agentd's record is one of a workflow.`, {
      hint: 'Print it with --json.',
    });
  }
  const { outcome, trial, brokenBy } = result;
  const id = `exec-0-0-${trial.toString(16)}`;
  return {
    workflow: subject.workflow.name,
    start_node: subject.trigger.start,
    execution_id: id,
    status: outcome?.status ?? 'errored',
    last_node: outcome?.lastNode ?? null,
    detail: outcome === null ? { error: brokenBy } : detailOf(outcome, id, subject),
    wall_ms: milliseconds(outcome?.elapsedUs ?? 0),
    cost: costOf(outcome),
    trace: { execution_id: id, entries: entriesOf(trace?.events ?? []) },
  };
}

function detailOf(
  { status, finalValue, response, reason, elapsedUs, lastNode }: Outcome,
  id: string,
  { workflow }: WorkflowSubject,
): Json {
  switch (status) {
    case 'completed': {
      if (response === null) return finalValue;
      const { status: code, contentType, body } = response;
      return { final_value: finalValue, http_response: { status: code, content_type: contentType, body } };
    }
    case 'failed':
      return { reason };
    case 'timed_out':
      return { elapsed_ms: milliseconds(elapsedUs) };
    case 'paused':
      return { run_id: id, reason: workflow.nodes.find((node) => node.id === lastNode)?.config.reason ?? null };
    case 'errored':
      return { error: reason };
  }
}

const COUNTERS = [
  ['workflow_starts', 'workflowStarts'],
  ['workflow_completions', 'workflowCompletions'],
  ['workflow_failures', 'workflowFailures'],
  ['workflow_timeouts', 'workflowTimeouts'],
  ['workflow_errored', 'workflowErrored'],
  ['node_executions', 'nodeExecutions'],
  ['node_failures', 'nodeFailures'],
  ['policy_denials', 'policyDenials'],
  ['llm_calls', 'llmCalls'],
  ['llm_tokens', 'llmTokens'],
] as const;

function costOf(outcome: Outcome | null): JsonObject {
  return Object.fromEntries(COUNTERS.map(([word, counter]) => [word, outcome?.counters[counter] ?? 0]));
}

/** The word for a node that ends a run without an output. */
const ENDS: Readonly<Partial<Record<Outcome['stoppedBy'], string>>> = {
  terminate: 'terminate',
  fail: 'fail',
  pause: 'pause',
};

function entriesOf(events: readonly TraceEvent[]): readonly JsonObject[] {
  const entries: JsonObject[] = [];
  let visit: Extract<TraceEvent, { readonly kind: 'visit' }> | null = null;
  const entry = (outcome: string, output: Json, branch: string | null, endUs: number): void => {
    if (visit === null) return;
    const { node, type, atUs } = visit;
    entries.push({ node_id: node, kind: type, outcome, branch, output, elapsed_ms: milliseconds(endUs - atUs) });
    visit = null;
  };
  for (const event of events) {
    if (event.walk !== '') continue;
    if (event.kind === 'visit' && event.attempt === 1) visit = event;
    if (event.kind === 'output') entry('continue', event.output, event.branch, event.atUs);
    if (event.kind !== 'end') continue;
    const ending = ENDS[event.outcome.stoppedBy];
    if (ending !== undefined) entry(ending, null, null, event.outcome.elapsedUs);
  }
  return entries;
}

function milliseconds(us: number): number {
  return Math.floor(us / 1000);
}
