import fc from 'fast-check';
import { expect, test } from 'vitest';
import { traceTrial } from '../../src/index.ts';
import type { ScenarioDefinition, WorkflowDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { codeIn, rowsBelow } from './document.ts';

type Node = NonNullable<WorkflowDefinition['nodes']>[number];
type Edges = NonNullable<WorkflowDefinition['edges']>;

/** Names that a scenario of any author could have. */
interface Names {
  /** Of the node that fails. */
  readonly id: string;
  /** A path of the context that leads nowhere. */
  readonly gone: string;
  /** Of a host, a backend, a variable, a secret or a tool. */
  readonly name: string;
  readonly label: string;
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
const names: fc.Arbitrary<Names> = fc.record({
  id: word.filter((id) => id !== 'trigger').map((id) => `n_${id}`),
  gone: fc.tuple(word, word).map(([one, other]) => `trigger.gone_${one}.${other}`),
  name: word.map((name) => `x${name}`),
  label: fc.stringMatching(/^[a-z][a-z ._-]{0,12}[a-z]$/),
});

interface Case extends Partial<ScenarioDefinition> {
  readonly nodes: readonly Node[];
  readonly edges?: Edges;
  readonly workflowParts?: Partial<WorkflowDefinition>;
  /** What the capital words of the text are in this case, besides those of `Names`. */
  readonly path?: string;
}

const model = (id: string, more: object = {}): Node => ({
  id,
  type: 'llm_infer',
  backend: 'default',
  prompt: 'x',
  ...more,
});
const turns = (...contents: string[]) => ({ turns: contents.map((content) => ({ content })) });
const get = (id: string, more: object = {}): Node => ({
  id,
  type: 'http_request',
  method: 'GET',
  urlFrom: 'trigger.url',
  ...more,
});
const http = (error: 'refused' | 'dns') => ({ http: [{ error }] });
const loop = (id: string, more: object): Node => ({
  id,
  type: 'agent_loop',
  backend: 'default',
  maxSteps: 1,
  tools: ['read_env'],
  ...more,
});
const run = (id: string, more: object = {}): Node => ({ id, type: 'shell_run', command: '/bin/x', ...more });
const shop = { mcpServers: [{ name: 'shop', command: ['/bin/shop'], allowTools: ['other'] }] };
const map = (id: string, itemsFrom: string): Node => ({
  id,
  type: 'map',
  itemsFrom,
  workflow: 'test/compatibility/child.toml',
  maxItems: 2,
});

/** What brings each text about, by the first cell of its row. */
const CASES: Readonly<Record<string, (names: Names) => Case>> = {
  'all turns are used up': ({ id }) => ({
    nodes: [model('first'), model(id)],
    edges: [{ from: 'first', to: id }],
    intel: turns('one'),
  }),
  '`intel_error_on_call = 1` strikes': ({ id }) => ({
    nodes: [model(id)],
    intel: turns('a'),
    faults: { intelErrorOnCall: 1 },
  }),
  'a backend is not declared': ({ id, name }) => ({ nodes: [model(id, { backend: name })], intel: turns('a') }),
  "a loop's backend is not declared": ({ id, name }) => ({
    nodes: [loop(id, { backend: name, instructions: 'x' })],
    intel: turns('a'),
  }),
  'an answer is no JSON': ({ id, label }) => ({
    nodes: [model(id, { outputSchema: 'inline' })],
    intel: turns(`x${label}`),
  }),
  'a path leads nowhere': ({ id, gone }) => ({
    nodes: [{ id, type: 'template_render', template: '{{x}}', inputFrom: gone }],
  }),
  'a path leads to something else than text': ({ id }) => ({
    nodes: [{ id, type: 'read_file', pathFrom: 'trigger.number' }],
    path: 'trigger.number',
  }),
  '`respond` has no input': ({ id, gone }) => ({
    nodes: [{ id, type: 'respond', bodyTemplate: '{{x}}', inputFrom: gone }],
  }),
  '`agent_loop` has no task': ({ id, gone }) => ({ nodes: [loop(id, { instructionsFrom: gone })], intel: turns('a') }),
  '`read_mcp_resource` has no URI': ({ id, gone }) => ({
    nodes: [{ id, type: 'read_mcp_resource', resourceFrom: gone }],
    workflowParts: shop,
    world: { mcp: [{ name: 'shop', resources: { 'a:1': [] } }] },
  }),
  '`parse_json` gets no JSON': ({ id }) => ({
    nodes: [{ id, type: 'parse_json', inputFrom: 'trigger.text' }],
    trigger: { payload: { text: '{"a":1} x' } },
    path: 'trigger.text',
  }),
  '`map` has no items': ({ id, gone }) => ({ nodes: [map(id, gone)] }),
  '`map` gets no array': ({ id }) => ({ nodes: [map(id, 'trigger.text')], path: 'trigger.text' }),
  '`map` gets too many items': ({ id }) => ({ nodes: [map(id, 'trigger.items')] }),
  'two edges fit a label': ({ id, label }) => ({
    nodes: [
      { id, type: 'switch', expr: 'trigger.label' },
      { id: 'one', type: 'merge' },
      { id: 'two', type: 'merge' },
    ],
    edges: [
      { from: id, to: 'one', when: label },
      { from: id, to: 'two', when: label },
    ],
    trigger: { payload: { label } },
  }),
  'two edges fit no label': ({ id }) => ({
    nodes: [
      { id, type: 'merge' },
      { id: 'one', type: 'merge' },
      { id: 'two', type: 'merge' },
    ],
    edges: [
      { from: id, to: 'one' },
      { from: id, to: 'two' },
    ],
  }),
  'a walk does not end': ({ id }) => ({
    nodes: [{ id, type: 'merge' }],
    edges: [{ from: id, to: id, maxIterations: 1_000_000 }],
  }),
  'calls are nested too deep': () => ({
    nodes: [{ id: 'again', type: 'call', workflow: 'corpus/fixtures/calls-itself.toml' }],
  }),
  'arguments of a program are no list': ({ id }) => ({
    nodes: [run(id, { argsFrom: 'trigger.text' })],
    path: 'trigger.text',
  }),
  'an argument is no text': ({ id }) => ({ nodes: [run(id, { argsFrom: 'trigger.items' })] }),
  'a program has no absolute path': ({ id, name }) => ({
    nodes: [run(id, { command: name })],
    world: { processes: [{ command: name }] },
  }),
  'nobody listens': ({ id }) => ({
    nodes: [get(id)],
    trigger: { payload: { url: 'http://127.0.0.1:8080/x' } },
    world: http('refused'),
  }),
  'a host is not found': ({ id }) => ({ nodes: [get(id)], world: http('dns') }),
  'a URL has another scheme': ({ id, name }) => ({
    nodes: [get(id)],
    trigger: { payload: { url: `ftp://${name}.test/` } },
    world: http('dns'),
  }),
  'a URL has no host': ({ id }) => ({
    nodes: [get(id)],
    trigger: { payload: { url: 'http:///x' } },
    world: http('dns'),
  }),
  'a URL has a bad port': ({ id, name }) => ({
    nodes: [get(id)],
    trigger: { payload: { url: `http://${name}.test:99999/` } },
    world: http('dns'),
  }),
  'a secret is nowhere': ({ id, name }) => ({ nodes: [get(id, { headers: { 'X-Key': `{{secret:${name}}}` } })] }),
  'a file is not there': ({ id }) => ({ nodes: [{ id, type: 'read_file', pathFrom: 'trigger.path' }] }),
  'a back-off goes beyond the time limit': ({ id, gone }) => ({
    nodes: [{ id, type: 'parse_json', inputFrom: gone, retry: { maxAttempts: 2, backoffMs: 5000 } }],
    timeoutMs: 1000,
  }),
  'a read is not allowed at all': ({ id }) => ({
    nodes: [{ id, type: 'read_file', pathFrom: 'trigger.path' }],
    policy: {},
  }),
  'a write is not covered': ({ id }) => ({
    nodes: [{ id, type: 'write_file', pathFrom: 'trigger.path', contentFrom: 'trigger.text' }],
    policy: { fs: { write: ['/b/**'] } },
  }),
  'a variable is not covered': ({ id, name }) => ({
    nodes: [{ id, type: 'read_env', key: name }],
    policy: { env: { readKeys: ['OTHER'] } },
    world: { env: {} },
  }),
  'a URL is not allowed at all': ({ id }) => ({ nodes: [get(id)], policy: {} }),
  'a method is not allowed': ({ id }) => ({
    nodes: [get(id, { method: 'POST' })],
    policy: { http: { urls: ['*'], methods: ['GET'] } },
  }),
  'a URL is not covered': ({ id }) => ({ nodes: [get(id)], policy: { http: { urls: ['https://elsewhere.test/*'] } } }),
  'a program is not allowed at all': ({ id }) => ({ nodes: [run(id)], policy: {} }),
  'a program is not covered': ({ id }) => ({ nodes: [run(id)], policy: { shell: { commands: ['/usr/bin/*'] } } }),
  'a tool is not covered': ({ id, name }) => ({
    nodes: [{ id, type: 'call_mcp_tool', tool: name }],
    workflowParts: shop,
    policy: {},
  }),
};

/** The reason of a run of the case; grants where only a real request gets so far. */
async function reasonOf(
  { nodes, edges = [], workflowParts = {}, path: _, ...parts }: Case,
  { name }: Names,
): Promise<string> {
  const scenario: ScenarioDefinition = {
    name: 's',
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: nodes[0]?.id ?? '' }],
        nodes,
        edges,
        ...workflowParts,
      },
    },
    trigger: { payload: { url: `http://${name}.test/`, path: '/a', text: 'text', number: 1, items: [1, 2, 3] } },
    world: { env: {}, processes: [{ command: '/bin/x' }] },
    expected: { status: 'errored' },
    ...parts,
  };
  // A secret is looked for only on the way to a real server, which is not reached without it.
  const isReal = JSON.stringify(nodes).includes('{{secret:');
  const { result } = await traceTrial({ scenario, trial: 0, ...(isReal && { permissions: { net: true, env: true } }) });
  return result.outcome?.reason ?? `no reason: ${result.brokenBy}`;
}

const rows = rowsBelow('Words of errors').map(([when = '', text = '']) => [when, codeIn(text)] as const);

test('every text of the document has a case here, and every case a text', () => {
  expect(Object.keys(CASES)).toEqual(rows.map(([when]) => when));
  expect(rows.filter(([, text]) => text === '')).toEqual([]);
});

test.each(rows)('when %s, the reason has the words of agentd, whatever things are called', async (when, text) => {
  const property = fc.asyncProperty(names, async (drawn) => {
    const made = CASES[when]?.(drawn) ?? { nodes: [] };
    const wanted = text
      .replaceAll('`ID`', `\`${when.startsWith('calls are') ? 'again' : drawn.id}\``)
      .replaceAll('NAME', drawn.name)
      .replaceAll('LABEL', drawn.label)
      .replaceAll('`P`', `\`${made.path ?? drawn.gone}\``);
    expect(await reasonOf(made, drawn)).toContain(wanted);
  });
  await fc.assert(property, { numRuns: when.startsWith('a walk') ? 3 : 15 });
});
