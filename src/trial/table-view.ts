import type { Denial, SentPrompt, SentRequest, TrialView } from '../checks/check.ts';
import type { TableWalk } from '../engine/table/table-walk.ts';
import type { Json } from '../types/json.ts';
import type { CounterName, HttpResponse, StoppedBy, SubjectStatus } from '../types/trial.ts';

/** What checks see of the trial that a table has just walked. */
export class TableView implements TrialView {
  private readonly table: TableWalk;

  constructor(table: TableWalk) {
    this.table = table;
  }

  get status(): SubjectStatus {
    return this.table.end().status;
  }

  get stoppedBy(): StoppedBy {
    return this.table.end().stoppedBy;
  }

  get lastNode(): number {
    return this.table.lastNode;
  }

  get erroredNode(): number {
    return this.table.end().errored ? this.lastNode : -1;
  }

  get reason(): string | null {
    return this.table.end().reason;
  }

  // Where something is declared to go wrong, trials are walked.
  get struck(): number {
    return 0;
  }

  get path(): Int32Array {
    return this.table.path;
  }

  get pathLength(): number {
    return this.table.steps;
  }

  commonSteps(expected: Int32Array): number {
    return this.table.commonSteps(expected);
  }

  get finalValue(): Json {
    return this.table.end().finalValue;
  }

  get response(): HttpResponse | null {
    if (this.table.end().status !== 'completed') return null;
    return this.table.lastResponse();
  }

  // Answers that take time are not answered by tables.
  get elapsedUs(): number {
    return 0;
  }

  counter(name: CounterName): number {
    const { table } = this;
    switch (name) {
      case 'llmCalls':
        return table.llmCalls;
      case 'llmTokens':
        return table.tokens;
      case 'promptTokens':
      case 'completionTokens':
      case 'repairs':
      case 'faults':
        return this.ofReplies(name);
      case 'nodeExecutions':
        return table.steps;
      case 'nodeFailures':
      case 'workflowErrored':
        return table.end().errored ? 1 : 0;
      case 'workflowStarts':
        return 1;
      case 'workflowCompletions':
        return this.status === 'completed' ? 1 : 0;
      case 'workflowFailures':
        return this.status === 'failed' ? 1 : 0;
      case 'policyDenials':
      case 'retries':
      case 'toolCalls':
      case 'writtenBytes':
      case 'workflowTimeouts':
        return 0;
    }
  }

  private ofReplies(field: 'promptTokens' | 'completionTokens' | 'repairs' | 'faults'): number {
    let sum = 0;
    this.table.eachCell(({ reply }) => {
      if (reply !== null) sum += reply[field];
    });
    return sum;
  }

  output(node: number): Json | undefined {
    return this.table.output(node);
  }

  tookBranch(): boolean {
    throw new Error('Scenarios that look at branches are not run by tables.');
  }

  prompts(): readonly SentPrompt[] {
    throw new Error('Scenarios that look at prompts are not run by tables.');
  }

  // Trials that ask for anything but a model are not run by tables.
  requests(): readonly SentRequest[] {
    return [];
  }

  denials(): readonly Denial[] {
    return [];
  }

  turns(): null {
    return null;
  }

  calls(): null {
    return null;
  }

  claimed(): null {
    return null;
  }

  state(): null {
    return null;
  }

  gold(): null {
    return null;
  }

  model(): null {
    return null;
  }

  file(): null {
    throw new Error('Scenarios that look at files are not run by tables.');
  }
}
