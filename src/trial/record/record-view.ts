import type { Denial, SentPrompt, SentRequest, TrialView } from '../../checks/check.ts';
import { commonSteps } from '../../checks/common-steps.ts';
import type { SeenFile } from '../../effects/trial-world.ts';
import { KIND_BITS } from '../../types/chaos.ts';
import type { Finding } from '../../types/reports/finding.ts';
import type { Message } from '../../types/message.ts';
import type { Json } from '../../types/json.ts';
import type { JudgeRuling } from '../../types/judges/judge.ts';
import type { ModelFacts } from '../../types/model-test.ts';
import type { Call, TrialRecord, Turn, WorkflowFacts } from '../../types/record.ts';
import type { CounterName, HttpResponse, StoppedBy, SubjectStatus } from '../../types/trial.ts';
import { textOf } from '../../values/message-text.ts';

const NOTHING: WorkflowFacts = {
  path: [],
  lastNode: null,
  erroredNode: null,
  finalValue: null,
  response: null,
  outputs: {},
  branches: [],
  elapsedUs: 0,
};

const NO_PATH = new Int32Array(0);

/** A record as checks see a trial. Broken trials are not judged: `record` must have ended by the subject's doing. */
export class RecordView implements TrialView {
  readonly path: Int32Array;
  private readonly whole: TrialRecord;
  private readonly facts: WorkflowFacts;
  private readonly nodeIds: readonly string[];

  /** `nodeIds`: top-level nodes by position; [] where the subject is no workflow. */
  constructor(record: TrialRecord, nodeIds: readonly string[]) {
    this.whole = record;
    this.nodeIds = nodeIds;
    this.facts = record.workflow ?? NOTHING;
    const { path } = this.facts;
    this.path = path.length === 0 ? NO_PATH : Int32Array.from(path, (node) => nodeIds.indexOf(node));
  }

  get status(): SubjectStatus {
    const { status } = this.whole.ending;
    return status === 'broken' ? 'errored' : status;
  }

  get stoppedBy(): StoppedBy {
    const { ending } = this.whole;
    return ending.status === 'broken' ? 'error' : (ending.stoppedBy ?? 'terminate');
  }

  get reason(): string | null {
    return this.whole.ending.reason;
  }

  get struck(): number {
    return (this.whole.struck ?? []).reduce((kinds, { kind }) => kinds | KIND_BITS[kind], 0);
  }

  get lastNode(): number {
    return this.positionOf(this.facts.lastNode);
  }

  get erroredNode(): number {
    return this.positionOf(this.facts.erroredNode);
  }

  get pathLength(): number {
    return this.path.length;
  }

  commonSteps(expected: Int32Array): number {
    return commonSteps(this.path, this.path.length, expected);
  }

  /** Of a workflow its final value, of any other subject the text of its last answer; null: it gave none. */
  get finalValue(): Json {
    const { workflow, turns } = this.whole;
    if (workflow !== null) return workflow.finalValue;
    const last = turns.findLast(({ answer }) => answer !== null);
    return last === undefined || last.answer?.problem !== null ? null : textOf(last.parts);
  }

  get response(): HttpResponse | null {
    return this.facts.response;
  }

  get elapsedUs(): number {
    return this.facts.elapsedUs;
  }

  counter(name: CounterName): number {
    return this.whole.counters[name] ?? 0;
  }

  output(node: number): Json | undefined {
    const id = this.nodeIds[node];
    const { outputs } = this.facts;
    return id !== undefined && Object.hasOwn(outputs, id) ? outputs[id] : undefined;
  }

  tookBranch(node: number, branch: string): boolean {
    const id = this.nodeIds[node];
    return this.facts.branches.some((taken) => taken.node === id && taken.branch === branch);
  }

  prompts(): readonly SentPrompt[] {
    return this.all.flatMap(({ port, by, args }) => {
      if (port !== 'model') return [];
      const { messages } = args as unknown as { readonly messages: readonly Message[] };
      return [{ node: by, text: messages.map(({ parts }) => textOf(parts)).join('\n') }];
    });
  }

  requests(): readonly SentRequest[] {
    return this.all.flatMap(({ port, by, args, denied }) => {
      const isSent = !denied && (port === 'http' || port === 'process' || port === 'mcp');
      if (!isSent || (args as { readonly invalid?: string }).invalid !== undefined) return [];
      return [{ node: by, request: { port, ...(args as object) } as unknown as SentRequest['request'] }];
    });
  }

  denials(): readonly Denial[] {
    return this.all.flatMap(({ by, denied, problem }) =>
      denied ? [{ node: by, message: (problem ?? '').replace(/^(?:\w+|policy violation): /, '') }] : [],
    );
  }

  turns(): readonly Turn[] | null {
    return this.whole.workflow === null ? this.whole.turns : null;
  }

  calls(): readonly Call[] | null {
    return this.whole.workflow === null ? this.whole.calls : null;
  }

  claimed(): Finding | null {
    return this.whole.claimed;
  }

  gold(): NonNullable<TrialRecord['recording']>['gold'] {
    const { recording, session } = this.whole;
    return recording?.gold ?? session?.gold ?? null;
  }

  state(): ReturnType<TrialView['state']> {
    return this.whole.world?.state ?? null;
  }

  rulings(): readonly JudgeRuling[] {
    return this.whole.rulings ?? [];
  }

  record(): TrialRecord {
    return this.whole;
  }

  model(): ModelFacts | null {
    return this.whole.model ?? null;
  }

  file(path: string): SeenFile | null {
    const files = this.whole.world?.files ?? {};
    if (!Object.hasOwn(files, path)) return null;
    const content = files[path] ?? null;
    return content === null ? { kind: 'dir', content: '' } : { kind: 'file', content };
  }

  private get all(): readonly Call[] {
    return this.whole.calls ?? [];
  }

  private positionOf(node: string | null): number {
    return node === null ? -1 : this.nodeIds.indexOf(node);
  }
}
