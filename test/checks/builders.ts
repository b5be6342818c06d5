import type { Check, Denial, SentPrompt, SentRequest, TrialView } from '../../src/checks/check.ts';
import { commonSteps } from '../../src/checks/common-steps.ts';
import { type CheckInfo, compileChecks } from '../../src/checks/compile-checks.ts';
import { checkSupport } from '../../src/faithfulness/check-support.ts';
import { NOTHING_EXPECTED } from '../../src/scenario/bare-scenario.ts';
import type { Json } from '../../src/types/json.ts';
import type { JudgeRuling } from '../../src/types/judges/judge.ts';
import type { Expected } from '../../src/types/scenarios/expected.ts';
import type { CounterName, HttpResponse, StoppedBy, SubjectStatus } from '../../src/types/trial.ts';
import type { Call, Turn } from '../../src/types/record.ts';

export const NODES = ['start', 'route', 'done_alpha', 'done beta'] as const;
export type NodeId = (typeof NODES)[number];

export interface ViewParts {
  readonly status?: SubjectStatus;
  readonly stoppedBy?: StoppedBy;
  readonly erroredNode?: NodeId;
  readonly reason?: string | null;
  readonly path?: readonly NodeId[];
  readonly finalValue?: Json;
  readonly response?: HttpResponse | null;
  readonly elapsedUs?: number;
  readonly counters?: Readonly<Partial<Record<CounterName, number>>>;
  readonly outputs?: Readonly<Partial<Record<NodeId, Json>>>;
  readonly branches?: readonly string[];
  readonly prompts?: readonly SentPrompt[];
  readonly requests?: readonly SentRequest[];
  readonly denials?: readonly Denial[];
  readonly files?: Readonly<Record<string, string | null>>;
  /** A sum of `KIND_BITS`. */
  readonly struck?: number;
  readonly turns?: readonly Turn[];
  readonly calls?: readonly Call[] | null;
  readonly rulings?: readonly JudgeRuling[];
}

/** A view as the driver would give it; the path stands in a larger, dirty buffer. A null file is a directory. */
export function aView(parts: ViewParts = {}): TrialView {
  const path = parts.path ?? ['start', 'route', 'done_alpha'];
  const buffer = new Int32Array(path.length + 5).fill(1);
  buffer.set(path.map((id) => NODES.indexOf(id)));
  const last = path.at(-1);
  return {
    status: parts.status ?? 'completed',
    stoppedBy: parts.stoppedBy ?? 'terminate',
    lastNode: last === undefined ? -1 : NODES.indexOf(last),
    erroredNode: parts.erroredNode === undefined ? -1 : NODES.indexOf(parts.erroredNode),
    reason: parts.reason ?? null,
    struck: parts.struck ?? 0,
    path: buffer,
    pathLength: path.length,
    commonSteps: (expected) => commonSteps(buffer, path.length, expected),
    finalValue: parts.finalValue ?? null,
    response: parts.response ?? null,
    elapsedUs: parts.elapsedUs ?? 0,
    counter: (name) => parts.counters?.[name] ?? 0,
    output: (node) => parts.outputs?.[NODES[node] as NodeId],
    tookBranch: (node, branch) => parts.branches?.includes(`${NODES[node]}: ${branch}`) ?? false,
    prompts: () => parts.prompts ?? [],
    requests: () => parts.requests ?? [],
    denials: () => parts.denials ?? [],
    turns: () => parts.turns ?? null,
    calls: () => parts.calls ?? null,
    rulings: () => parts.rulings ?? [],
    claimed: () => null,
    state: () => null,
    gold: () => null,
    model: () => null,
    file: (name) => {
      const content = parts.files?.[name];
      if (content === undefined) return null;
      return content === null ? { kind: 'dir', content: '' } : { kind: 'file', content };
    },
  };
}

/** An `[expected]` that asserts nothing but what is given. */
export function anExpected(parts: Partial<Expected>): Expected {
  return { ...NOTHING_EXPECTED, ...parts };
}

/** A stand-in for the schema library: `{ "type": "…" }` against `typeof`. */
export const info: CheckInfo = {
  nodeIds: NODES,
  compileSchema: (schema) => {
    const wanted = (schema as { readonly type: string }).type;
    return (value) => (typeof value === wanted ? [] : [`must be ${wanted}`]);
  },
  checkSupport,
};

export function checksOf(parts: Partial<Expected>, more: Partial<CheckInfo> = {}): readonly Check[] {
  return compileChecks(anExpected(parts), { ...info, ...more });
}

/** The messages of all checks on one view, passing and failing. */
export function messages(parts: Partial<Expected>, view: ViewParts = {}): readonly string[] {
  return checksOf(parts).map((check) => check.explain(aView(view)).message);
}

/** Names of the checks that fail on one view. */
export function failing(parts: Partial<Expected>, view: ViewParts = {}): readonly string[] {
  return checksOf(parts)
    .filter((check) => !check.holds(aView(view)))
    .map((check) => check.name);
}
