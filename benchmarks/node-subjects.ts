import type { NodeDefinition, ScenarioDefinition, TurnDefinition } from '../src/scenario/objects/define-scenario.ts';

/** What one node type, or one way of going on, is measured with. */
export interface NodeSubject {
  readonly name: string;
  /** Nodes of the measured kind that one trial visits. */
  readonly visits: number;
  /** Scenario with a payload of so many bytes; null: there is nothing whose size matters. */
  scenario(bytes: number): ScenarioDefinition;
  readonly sized: boolean;
}

type NodeTable = Readonly<Record<string, unknown>>;
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly when?: string;
  readonly maxIterations?: number;
}

const CHAIN = 4;
/** A child workflow; its file is written by `writeChild`. */
export const CHILD_FILE = 'bench-child.toml';
export const CHILD_TEXT = `name = "child"
start_nodes = [{ name = "main", source = "manual", entry_node = "echo" }]
nodes = [{ id = "echo", type = "json_select", input_from = "trigger", path = "input" }]
`;

/** An answer of the model of about so many bytes: an object with a list of records. */
function documentOf(bytes: number, variant: number): string {
  const record = (id: number) => ({ id, name: `record ${id} of ${variant}`, tags: ['a', 'b'], price: id * 1.5 });
  const count = Math.max(1, Math.round(bytes / 64));
  return JSON.stringify({ variant, items: Array.from({ length: count }, (_, id) => record(id)) });
}

/** A model's answer in four variants, then the same node four times, then the end. */
function chain(name: string, type: string, config: NodeTable): NodeSubject {
  return {
    name,
    visits: CHAIN,
    sized: true,
    scenario: (bytes) =>
      scenarioOf(
        [
          { id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'Go.', outputSchema: 'inline' },
          ...Array.from({ length: CHAIN }, (_, at) => ({ id: `n${at}`, type, ...config })),
        ],
        [0, 1, 2, 3].map((at) => ({ from: at === 0 ? 'ask' : `n${at - 1}`, to: `n${at}` })),
        [{ variants: [0, 1, 2, 3].map((variant) => ({ content: documentOf(bytes, variant) })) }],
        { before: JSON.parse(documentOf(bytes, 9)) as unknown },
      ),
  };
}

function scenarioOf(
  nodes: readonly NodeTable[],
  edges: readonly Edge[],
  turns: readonly TurnDefinition[],
  payload: unknown,
  more: Partial<ScenarioDefinition> = {},
): ScenarioDefinition {
  const entryNode = String(nodes[0]?.['id']);
  return {
    name: 'subject',
    minPassRate: 0,
    workflow: {
      inline: {
        name: 'subject',
        startNodes: [{ name: 'main', source: 'manual', entryNode }],
        // Made by programs: whether they are nodes is what loading says.
        nodes: nodes as readonly object[] as readonly NodeDefinition[],
        edges,
      },
    },
    trigger: { payload },
    intel: { turns },
    expected: { status: 'completed' },
    ...more,
  };
}

function unsized(name: string, visits: number, scenario: () => ScenarioDefinition): NodeSubject {
  return { name, visits, sized: false, scenario };
}

const ASK = { id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'Go.' };
const FOUR = [{ variants: ['a', 'b', 'c', 'd'].map((content) => ({ content })) }];

/** Point 8: node types with payloads, loops, retries, composition, denials. */
export const NODE_SUBJECTS: readonly NodeSubject[] = [
  chain('parse_json', 'parse_json', { inputFrom: 'ask.content' }),
  chain('json_select', 'json_select', { inputFrom: 'ask.parsed', path: 'items.3.name' }),
  chain('template_render', 'template_render', { inputFrom: 'ask.parsed', template: 'All: {{items}}' }),
  chain('diff_compute', 'diff_compute', { leftFrom: 'trigger.before', rightFrom: 'ask.parsed' }),
  chain('condition', 'switch', { expr: 'ask.parsed.nothing' }),
  unsized('loop of two nodes, 20 times', 42, () =>
    scenarioOf(
      [
        { id: 'again', type: 'merge' },
        { id: 'check', type: 'condition', expr: 'trigger.more' },
      ],
      [
        { from: 'again', to: 'check' },
        { from: 'check', to: 'again', when: 'true', maxIterations: 20 },
      ],
      [],
      { more: true },
    ),
  ),
  unsized('llm_infer with a retry after a fault', 1, () =>
    scenarioOf(
      [{ ...ASK, retry: { max_attempts: 3, backoff_ms: 10 } }],
      [],
      [{ variants: [{ content: 'a' }, { content: 'b', fault: 'backend_down' }] }, { content: 'c' }],
      null,
    ),
  ),
  unsized('call', 1, () =>
    scenarioOf(
      [ASK, { id: 'child', type: 'call', workflow: CHILD_FILE, inputFrom: 'ask.content' }],
      [{ from: 'ask', to: 'child' }],
      FOUR,
      null,
    ),
  ),
  unsized('parallel of two', 1, () =>
    scenarioOf(
      [
        ASK,
        {
          id: 'both',
          type: 'parallel',
          branches: [1, 2].map(() => ({ workflow: CHILD_FILE, inputFrom: 'ask.content' })),
        },
      ],
      [{ from: 'ask', to: 'both' }],
      FOUR,
      null,
    ),
  ),
  unsized('map over three', 1, () =>
    scenarioOf([{ id: 'each', type: 'map', itemsFrom: 'trigger.items', workflow: CHILD_FILE, maxItems: 3 }], [], [], {
      items: [1, 2, 3],
    }),
  ),
  unsized('http_request denied', 1, () =>
    scenarioOf(
      [ASK, { id: 'get', type: 'http_request', method: 'get', urlFrom: 'ask.content' }],
      [{ from: 'ask', to: 'get' }],
      [{ variants: ['a', 'b', 'c', 'd'].map((at) => ({ content: `https://${at}.evil.example/x` })) }],
      null,
      {
        policy: { http: { urls: ['https://api.shop.example/v1/**'], methods: ['get'] } },
        expected: { status: 'errored', minPolicyDenials: 1 },
      },
    ),
  ),
  unsized('http_request answered by a mock', 1, () =>
    scenarioOf(
      [ASK, { id: 'get', type: 'http_request', method: 'get', urlFrom: 'ask.content' }],
      [{ from: 'ask', to: 'get' }],
      [{ variants: ['a', 'b', 'c', 'd'].map((at) => ({ content: `https://api.shop.example/v1/${at}` })) }],
      null,
      {
        policy: { http: { urls: ['https://api.shop.example/v1/**'], methods: ['get'] } },
        world: { http: ['a', 'b', 'c', 'd'].map((at) => ({ url: `https://api.shop.example/v1/${at}`, body: at })) },
      },
    ),
  ),
  unsized('write_file, then read_file', 2, () =>
    scenarioOf(
      [
        ASK,
        { id: 'write', type: 'write_file', pathFrom: 'trigger.path', contentFrom: 'ask.content' },
        { id: 'read', type: 'read_file', pathFrom: 'trigger.path' },
      ],
      [
        { from: 'ask', to: 'write' },
        { from: 'write', to: 'read' },
      ],
      FOUR,
      { path: '/out/note.txt' },
      { policy: { fs: { read: ['/out/**'], write: ['/out/**'] } } },
    ),
  ),
];
