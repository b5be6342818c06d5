import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/types/json.ts';
import type { Retry } from '../../src/types/workflow.ts';

/** A node before it knows its neighbours: numbers choose among what the graph has to offer. */
export interface NodeSeed {
  readonly type: string;
  /** Makes the type's keys, given the paths and children that may be named. */
  readonly config: (offer: Offer) => JsonObject;
  readonly retry: Retry | undefined;
  /** The id it has instead of its own; null: its own. */
  readonly oddId: string | null;
  /** True: whatever label it gives leads on to the next node. */
  readonly leadsOn: boolean;
  readonly extra: readonly EdgeSeed[];
}

export interface EdgeSeed {
  readonly to: number;
  readonly label: number;
  /** Followed this often; null: an edge forward. */
  readonly loop: number | null;
  /** Kept even when another edge answers the same label. */
  readonly clash: boolean;
}

/** What a node may refer to. */
export interface Offer {
  /** Nodes that come before it. */
  readonly before: readonly { readonly id: string; readonly type: string }[];
  readonly children: readonly string[];
  readonly servers: readonly string[];
}

type Pick<T> = (offer: Offer) => T;

/** Keys of the usual payload by what they hold. */
const TEXTS = ['trigger.file', 'trigger.url', 'trigger.json', 'trigger.uri', 'trigger.word'];
const ODD = [
  'nowhere',
  '',
  'trigger..file',
  'trigger.items.+1',
  'trigger.items.01',
  'trigger.items.-1',
  'trigger.kind.x',
  '__proto__.x',
];
export const LABELS = ['a', 'b', 'true', 'null', '7', 'array', 'object'];

/** A path that mostly fits; else one into the output of a node before, or one that leads nowhere. */
function path(...fitting: readonly string[]): fc.Arbitrary<Pick<string>> {
  const output = fc.tuple(fc.nat(), fc.nat()).map(
    ([at, choice]): Pick<string> =>
      ({ before }) => {
        const node = before[at % Math.max(1, before.length)];
        if (node === undefined) return fitting[0] ?? 'trigger';
        const keys = KINDS[node.type]?.outputs ?? [];
        const key = keys[choice % Math.max(1, keys.length)];
        return key === undefined ? node.id : `${node.id}.${key}`;
      },
  );
  return fc.oneof(
    {
      weight: 60,
      arbitrary: fc.constantFrom(...fitting).map(
        (fit): Pick<string> =>
          () =>
            fit,
      ),
    },
    { weight: 12, arbitrary: output },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...ODD).map(
        (odd): Pick<string> =>
          () =>
            odd,
      ),
    },
  );
}

const anyPath = path(
  'trigger',
  'trigger.items',
  'trigger.flag',
  'trigger.zero',
  'trigger.object',
  'trigger.items.0',
  ...TEXTS,
);

const child = fc.nat().map(
  (at): Pick<string> =>
    ({ children }) =>
      children[at % children.length] ?? '',
);

const server = fc.nat().map(
  (at): Pick<string | undefined> =>
    ({ servers }) => {
      // Without a name where that is unambiguous.
      return servers.length < 2 && at % 3 > 0 ? undefined : servers[at % servers.length];
    },
);

type Keys = Readonly<Record<string, fc.Arbitrary<Pick<Json | undefined>>>>;

function keys(table: Keys): fc.Arbitrary<NodeSeed['config']> {
  return fc.record(table as Record<string, fc.Arbitrary<Pick<Json | undefined>>>).map((picks) => (offer: Offer) => {
    const entries = Object.entries(picks).map(([key, pick]): [string, Json | undefined] => [key, pick(offer)]);
    return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  });
}

function one<T extends Json | undefined>(...values: readonly T[]): fc.Arbitrary<Pick<T>> {
  return fc.constantFrom(...values).map(
    (value): Pick<T> =>
      () =>
        value,
  );
}

/** Nothing, but for one in so many. */
export function rarely<T, N>(arbitrary: fc.Arbitrary<T>, nothing: N, odds: number): fc.Arbitrary<T | N> {
  return fc.oneof({ weight: odds - 1, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary });
}

function maybe(arbitrary: fc.Arbitrary<Pick<Json | undefined>>): fc.Arbitrary<Pick<Json | undefined>> {
  return fc.oneof(arbitrary, one(undefined));
}

const template = one('plain', 'say {{word}} {{ items.1 }}', '{{}}', '{{nope}} {{object.k}}', '{{items..0}}{{');
const run: Keys = {
  workflow: child,
  inputFrom: maybe(path('trigger', 'trigger', 'trigger.items.0', 'trigger.word')),
  start: one(undefined, undefined, 'main', 'other'),
};
const loopTools = fc
  .subarray(['read_file', 'write_file', 'read_env', 'http_request', 'shell_run', 'call_mcp_tool'], { minLength: 1 })
  .map(
    (tools): Pick<Json> =>
      () =>
        tools,
  );
const outputSchema = one<Json | undefined>(
  undefined,
  { kind: 'json' },
  { kind: 'json' },
  { kind: 'schema', schema: { type: 'object', required: ['label'] } },
);

interface Kind {
  readonly config: fc.Arbitrary<NodeSeed['config']>;
  /** Labels it can give; the first entry is the usual way on. */
  readonly labels: readonly (string | undefined)[];
  /** Paths into its output. */
  readonly outputs: readonly string[];
}

/** How each node type is drawn. */
export const KINDS: Readonly<Record<string, Kind>> = {
  read_file: {
    config: keys({ pathFrom: path('trigger.file') }),
    labels: [undefined],
    outputs: ['content', 'path', 'bytes'],
  },
  read_env: { config: keys({ key: one('HOME', 'TOKEN', 'UNSET') }), labels: [undefined], outputs: ['value', 'key'] },
  read_mcp_resource: {
    config: keys({ resourceFrom: path('trigger.uri'), server }),
    labels: [undefined],
    outputs: ['contents'],
  },
  parse_json: {
    config: keys({ inputFrom: path('trigger.json') }),
    labels: [undefined],
    outputs: ['parsed', 'parsed.label', 'parsed.file'],
  },
  template_render: {
    config: keys({ template, inputFrom: maybe(anyPath) }),
    labels: [undefined],
    outputs: ['rendered'],
  },
  diff_compute: { config: keys({ leftFrom: anyPath, rightFrom: anyPath }), labels: [undefined], outputs: ['changed'] },
  json_select: {
    config: keys({ inputFrom: anyPath, path: one('', 'k', 'items.0', 'label', '0') }),
    labels: [undefined],
    outputs: ['value', 'found'],
  },
  llm_infer: {
    config: keys({
      backend: one(...Array.from({ length: 12 }, () => 'default'), 'second', 'absent'),
      prompt: template,
      inputFrom: maybe(anyPath),
      outputSchema,
      outputRepairs: one(undefined, 0, 1, 2),
    }),
    labels: [undefined],
    outputs: ['content', 'parsed', 'parsed.label', 'parsed.file', 'usage.prompt_tokens'],
  },
  agent_loop: {
    config: keys({
      backend: one('default', 'default', 'default', 'second'),
      maxSteps: one(1, 2, 3, 5),
      instructions: one<string | undefined>('do it', undefined),
      instructionsFrom: path('trigger.word'),
      tools: loopTools,
      maxTokens: one(undefined, undefined, 0, 9),
    }),
    labels: [undefined, 'exhausted'],
    outputs: ['result', 'steps', 'transcript'],
  },
  write_file: {
    config: keys({ pathFrom: path('trigger.out', 'trigger.file'), contentFrom: anyPath }),
    labels: [undefined],
    outputs: ['path', 'bytes'],
  },
  create_dir: {
    config: keys({ pathFrom: path('trigger.dir', 'trigger.file') }),
    labels: [undefined],
    outputs: ['path'],
  },
  http_request: {
    config: keys({
      method: one('GET', 'post', 'PUT'),
      urlFrom: path('trigger.url'),
      bodyFrom: maybe(anyPath),
      headers: one<Json | undefined>(undefined, { 'X-Key': '{{secret:NAME}}' }),
    }),
    labels: [undefined, 'error'],
    outputs: ['body', 'status'],
  },
  call_mcp_tool: {
    config: keys({ tool: one('find', 'find', 'find', 'break', 'break', 'gone'), argsFrom: maybe(anyPath), server }),
    labels: [undefined, 'error'],
    outputs: ['content', 'structured.label', 'is_error'],
  },
  shell_run: {
    config: keys({
      command: one(
        '/bin/tool',
        '/bin/tool',
        '/bin/tool',
        '/bin/tool',
        '/bin/slow',
        '/bin/slow',
        '/bin/gone',
        'relative',
      ),
      argsFrom: maybe(path('trigger.args')),
      timeoutSecs: one(undefined, 1),
    }),
    labels: [undefined, 'error'],
    outputs: ['stdout', 'exit_code', 'args'],
  },
  call: { config: keys(run), labels: [undefined, 'error'], outputs: ['result'] },
  parallel: {
    config: fc
      .array(keys(run), { maxLength: 3 })
      .map((made) => (offer: Offer) => ({ branches: made.map((make) => make(offer)) })),
    labels: [undefined, 'error'],
    outputs: ['results', 'results.0', 'ok'],
  },
  map: {
    config: keys({
      itemsFrom: path('trigger.items', 'trigger.empty'),
      workflow: child,
      maxItems: one(10, 10, 3, 1),
      start: one(undefined, 'main'),
      maxConcurrent: one(undefined, 1, 2),
    }),
    labels: [undefined, 'error'],
    outputs: ['results', 'ok'],
  },
  condition: { config: keys({ expr: anyPath }), labels: ['true', 'false'], outputs: ['value'] },
  switch: {
    config: keys({ expr: path('trigger.word', 'trigger.seven', 'trigger.gone', 'trigger.items') }),
    labels: LABELS,
    outputs: ['value'],
  },
  merge: { config: keys({}), labels: [undefined], outputs: [] },
  fail: { config: keys({ reason: one(undefined, 'it failed') }), labels: [undefined], outputs: [] },
  pause_for_approval: { config: keys({ reason: one(undefined, 'look') }), labels: [undefined], outputs: [] },
  respond: {
    config: keys({
      bodyTemplate: template,
      status: one(undefined, 201),
      contentType: one(undefined, 'text/plain'),
      inputFrom: maybe(anyPath),
    }),
    labels: [undefined],
    outputs: ['bytes'],
  },
  terminate: { config: keys({}), labels: [undefined], outputs: [] },
};

/** Nodes that end a walk are rarer, or no walk would get anywhere; those that can do most are more frequent. */
function weightOf(type: string): number {
  if (['fail', 'terminate', 'pause_for_approval'].includes(type)) return 1;
  return ['llm_infer', 'agent_loop', 'call', 'condition'].includes(type) ? 5 : 3;
}

const retry: fc.Arbitrary<Retry | undefined> = fc.option(
  fc.record({
    maxAttempts: fc.constantFrom(1, 2, 3),
    backoffMs: fc.constantFrom(0, 1, 100, 2500),
    on: fc.constantFrom('any', 'transient'),
    jitter: fc.constantFrom(0, 0.2, 0.5, 0.9),
  }),
  { nil: undefined, freq: 3 },
);

const edge: fc.Arbitrary<EdgeSeed> = fc.record({
  to: fc.nat(),
  label: fc.nat(),
  loop: fc.option(fc.constantFrom(0, 1, 2, 3), { nil: null, freq: 2 }),
  clash: rarely(fc.constant(true), false, 25),
});

/** Any node of one of the types. */
export function arbitraryNode(types: readonly string[]): fc.Arbitrary<NodeSeed> {
  const weighted = types.flatMap((type) => Array.from({ length: weightOf(type) }, () => type));
  return fc.constantFrom(...weighted).chain((type) => {
    const kind = KINDS[type];
    if (kind === undefined) throw new Error(`no node type ${type}`);
    return fc.record({
      type: fc.constant(type),
      config: kind.config,
      retry,
      oddId: fc.constantFrom(
        ...Array.from({ length: 40 }, () => null),
        'trigger',
        'trigger',
        'trigger',
        '__proto__',
        'a.b',
      ),
      leadsOn: fc.boolean(),
      extra: fc.array(edge, { maxLength: 2 }),
    });
  });
}
