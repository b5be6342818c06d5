import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  loadSuite,
  type PermissionOptions,
  renderReport,
  runSuite,
  type SampledScenario,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type {
  NodeDefinition,
  ScenarioDefinition,
  WorkflowDefinition,
} from '../../src/scenario/objects/define-scenario.ts';
import type { Outcome } from '../../src/types/trial.ts';
import { arbitraryPlan } from '../laws/arbitrary-scenario.ts';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';
import { compilePure } from '../support/compile-pure.ts';
import { rowsBelow } from './document.ts';
import { workflowIn } from '../support/as-workflow.ts';
import { sampled } from '../support/sampled.ts';

type Edges = NonNullable<WorkflowDefinition['edges']>;

function aScenario(
  nodes: readonly NodeDefinition[],
  edges: Edges = [],
  parts: Partial<ScenarioDefinition> = {},
): ScenarioDefinition {
  const startNodes = [{ name: 'main', source: 'manual' as const, entryNode: nodes[0]?.id ?? '' }];
  return {
    name: 's',
    workflow: { inline: { name: 'w', startNodes, nodes, edges } },
    expected: { status: 'completed' },
    ...parts,
  };
}

/** Files of a suite; `workflow` inside a scenario is a TOML workflow. */
function aSuite(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-differs-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  return cwd;
}

const START = 'start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]';
const flow = (nodes: string, more = ''): string => `name = "w"\n${START}\nnodes = [${nodes}]\n${more}`;
const scenario = (workflow: string, more = '', expected = '[expected]\nstatus = "completed"\n'): string =>
  `name = "s"\n${more}\n[workflow]\ninline = '''\n${workflow}'''\n${expected}`;

async function codes(
  files: Readonly<Record<string, string>>,
  permissions: PermissionOptions = {},
): Promise<readonly string[]> {
  const { issues } = await loadSuite({ cwd: aSuite(files), permissions });
  return issues.map(({ code, severity }) => (severity === 'error' ? code : `(${code})`));
}

async function one(definition: ScenarioDefinition, options: object = {}): Promise<SampledScenario> {
  const { scenarios } = await runSuite({ scenarios: [definition], workers: 0, ...options });
  return sampled(scenarios[0]);
}

async function outcome(definition: ScenarioDefinition, options: object = {}): Promise<Outcome | null> {
  return (await traceTrial({ scenario: definition, trial: 0, ...options })).result.outcome;
}

const TERMINATES: NodeDefinition = { id: 'n', type: 'terminate' };
const text = (id: string, template: string): NodeDefinition => ({
  id,
  type: 'template_render',
  template,
  inputFrom: 'trigger',
});

/** What shows that passk does what each row says of it, by the row's first cell. */
const HOLDS: Readonly<Record<string, () => Promise<void>>> = {
  'A node type without a handler silently succeeds.': async () => {
    expect(await codes({ 's.toml': scenario(flow('{ id = "n", type = "shell_rnu" }')) })).toEqual([
      'unknown_node_type',
    ]);
    const unanswered = aScenario([{ id: 'n', type: 'http_request', method: 'GET', urlFrom: 'trigger.url' }], [], {
      trigger: { payload: { url: 'https://a.test/' } },
      world: { http: [{ url: 'https://b.test/' }] },
    });
    const { trials, failures } = await one(unanswered);
    expect(trials).toMatchObject({ passed: 0, broken: 1 });
    expect(failures[0]?.brokenBy).toContain('Declare [[world.http]]');
  },
  '`llm_infer` and `agent_loop` succeed as stubs in a scenario without turns.': async () => {
    const model = '{ id = "n", type = "llm_infer", backend = "default", prompt = "x" }';
    expect(await codes({ 's.toml': scenario(flow(model)) })).toEqual(['no_turns']);
    const loop =
      '{ id = "n", type = "agent_loop", backend = "default", max_steps = 1, instructions = "x", tools = ["read_env"] }';
    expect(await codes({ 's.toml': scenario(flow(loop)) })).toEqual(['no_turns']);
  },
  'Child workflows are read again on every call, from the working directory.': async () => {
    const child = flow('{ id = "n", type = "fail", reason = "WHERE" }');
    const calls = scenario(flow('{ id = "n", type = "call", workflow = "c.wf.toml" }'));
    const cwd = aSuite({
      'c.wf.toml': child.replace('WHERE', 'the working folder'),
      'd.wf.toml': child.replace('WHERE', 'the working folder'),
      'a/s.toml': calls,
      'a/c.wf.toml': child.replace('WHERE', 'beside'),
      'b/s.toml': calls.replace('c.wf', 'd.wf').replace('name = "s"', 'name = "t"'),
    });
    const { scenarios } = await loadSuite({ cwd });
    const reasons = scenarios.map((one) => Object.values(workflowIn(one).children)[0]?.nodes[0]?.config.reason);
    expect(reasons).toEqual(['beside', 'the working folder']);
  },
  'A child workflow that cannot be read or is invalid fails where it is called.': async () => {
    const cwd = aSuite({
      's.toml': scenario(flow('{ id = "n", type = "call", workflow = "c.wf.toml" }')),
      't.toml': scenario(flow('{ id = "n", type = "call", workflow = "gone.toml" }')).replace('"s"', '"t"'),
      'c.wf.toml': flow('{ id = "n", type = "merg" }'),
    });
    const { issues } = await loadSuite({ cwd });
    expect(issues.map(({ code, at }) => `${code} ${at?.file}:${at?.line}`)).toEqual([
      'unknown_node_type c.wf.toml:3',
      'invalid_child_workflow s.toml:7',
      'missing_child_workflow t.toml:7',
    ]);
  },
  'Duplicate node ids are also reported as a cycle; some problems come in random order; `min_pass_rate` above 1 is accepted.':
    async () => {
      const doubled = scenario(
        flow('{ id = "n", type = "merge" }, { id = "n", type = "merge" }'),
        'min_pass_rate = 2.0',
      );
      const found = await Promise.all([1, 2, 3].map(() => codes({ 's.toml': doubled })));
      expect(new Set(found.map(String))).toEqual(new Set(['out_of_range,dup_node_id']));
    },
  'Graph checks stop at a dangling edge.': async () => {
    const nodes = '{ id = "n", type = "merge" }, { id = "alone", type = "merge" }';
    const edges = 'edges = [{ from = "n", to = "gone" }]\n';
    expect(await codes({ 's.toml': scenario(flow(nodes, edges)) })).toEqual(['dangling_edge', 'unreachable_node']);
  },
  'An unknown `trigger.start` fails every trial; so does `[policy.rego]`.': async () => {
    const whole = scenario(
      flow('{ id = "n", type = "terminate" }'),
      '',
      '[trigger]\nstart = "mian"\n[policy.rego]\ninline = "x"\n[expected]\nstatus = "completed"\n',
    );
    expect([...(await codes({ 's.toml': whole }))].sort()).toEqual(['policy_rego', 'unknown_start_node']);
  },
  '`status = "compleeted"` can never match, and nobody says so.': async () => {
    const cwd = aSuite({
      's.toml': scenario(flow('{ id = "n", type = "terminate" }'), '', '[expected]\nstatus = "compleeted"\n'),
    });
    const { issues } = await loadSuite({ cwd });
    expect(issues).toMatchObject([{ severity: 'error', hint: 'Did you mean "completed"?' }]);
  },
  'Expectations may name nodes that are not there, and two scenarios may have one name.': async () => {
    const named = scenario(flow('{ id = "n", type = "terminate" }'), '', '[expected]\nlast_node = "m"\n');
    expect(await codes({ 's.toml': named })).toEqual(['unknown_node']);
    const fine = scenario(flow('{ id = "n", type = "terminate" }'));
    expect(await codes({ 's.toml': fine, 't.toml': fine })).toEqual(['duplicate_scenario_name']);
  },
  '`timeout_secs` is the only time limit.': async () => {
    const workflow = flow('{ id = "n", type = "terminate" }');
    expect(await codes({ 's.toml': scenario(workflow, 'timeout_ms = 5\ntimeout_secs = 1') })).toEqual([
      expect.any(String),
    ]);
    expect(await codes({ 's.toml': scenario(workflow, 'timeout_ms = 5') })).toEqual([]);
  },
  'A mistake in a file surfaces one at a time.': async () => {
    const cwd = aSuite({
      'a.toml': scenario(flow('{ id = "n", type = "merg" }'), 'trails = 3'),
      'b.toml': 'name = ',
    });
    const { issues } = await loadSuite({ cwd });
    expect(issues.map(({ at }) => `${at?.file}:${at?.line}`)).toEqual(['a.toml:2', 'a.toml:7', 'b.toml:1']);
  },
  'A file that does not load is one failed scenario, and the rest runs.': async () => {
    const cwd = aSuite({ 'bad.toml': 'name = ', 'good.toml': aGreeting({ name: 'good' }) });
    const plain = await runPassk(['.', '--json'], { cwd });
    expect(plain).toMatchObject({ status: 2, stdout: '' });
    writeFileSync(path.join(cwd, 'passk.toml'), 'keep_going = true\n');
    const going = await runPassk(['.', '--json'], { cwd });
    const { scenarios } = JSON.parse(going.stdout) as SuiteReport;
    expect([going.status, scenarios.map(({ verdict }) => verdict)]).toEqual([2, ['load_error', 'passed']]);
  },
  'Every `.toml` file of the corpus is a scenario.': async () => {
    const cwd = aSuite({
      'Cargo.toml': '[package]\nname = "x"\n',
      'w.toml': flow('{ id = "n", type = "merge" }'),
      's.toml': aGreeting(),
    });
    expect((await loadSuite({ cwd })).files).toEqual(['s.toml']);
  },
  'Files that a scenario names are opened wherever they lie.': async () => {
    const cwd = aSuite({
      'p/.git': '',
      'p/corpus/s.toml': `name = "s"\n[workflow]\npath = "../w.toml"\n[expected]\nstatus = "completed"\n`,
      'p/corpus/t.toml': `name = "t"\n[workflow]\npath = "../../w.toml"\n[expected]\nstatus = "completed"\n`,
      'p/w.toml': flow('{ id = "n", type = "merge" }'),
      'w.toml': flow('{ id = "n", type = "merge" }'),
      'here/x': '',
    });
    const load = (permissions: PermissionOptions) =>
      loadSuite({ cwd: path.join(cwd, 'here'), paths: ['../p/corpus'], permissions });
    expect((await load({})).issues.map(({ code }) => code)).toEqual(['file_outside', 'invalid_workflow']);
    expect((await load({ read: [cwd] })).scenarios.map(({ name }) => name)).toEqual(['s', 't']);
  },
  'TOML 1.0.': async () => {
    const file = scenario(
      flow('{ id = "n", type = "terminate" }'),
      '',
      '[trigger]\npayload = {\n  a = "\\x41",\n}\n[expected]\nstatus = "completed"\n',
    );
    const { scenarios } = await loadSuite({ cwd: aSuite({ 's.toml': file }) });
    expect(scenarios.map((one) => workflowIn(one).trigger.payload)).toEqual([{ a: 'A' }]);
  },
  'Path policy compares raw text, so `..` and links escape.': async () => {
    const writes = (target: string, files: object = {}) =>
      aScenario([{ id: 'n', type: 'write_file', pathFrom: 'trigger.path', contentFrom: 'trigger.path' }], [], {
        trigger: { payload: { path: target } },
        policy: { fs: { write: ['/safe/**'] } },
        world: { files: files as never },
      });
    expect((await outcome(writes('/safe/../etc/cron.d/x')))?.stoppedBy).toBe('denial');
    expect(
      (await outcome(writes('/safe/link/x', { '/safe/link': { link: '/etc' }, '/etc': { dir: true } })))?.stoppedBy,
    ).toBe('denial');
    expect((await outcome(writes('/safe/./a/../b')))?.status).toBe('completed');
    const gets = (url: string) =>
      aScenario([{ id: 'n', type: 'http_request', method: 'GET', urlFrom: 'trigger.url' }], [], {
        trigger: { payload: { url } },
        policy: { http: { urls: ['https://api.test*'] } },
        world: { http: [{}] },
      });
    expect((await outcome(gets('https://api.test.evil.example/')))?.stoppedBy).toBe('denial');
    expect((await outcome(gets('HTTPS://API.test:443/')))?.status).toBe('completed');
  },
  'Effects happen on the real machine.': async () => {
    const secret = path.join(aFolder(), 'real');
    writeFileSync(secret, 'real');
    const reads = aScenario([{ id: 'n', type: 'read_file', pathFrom: 'trigger.path' }], [], {
      trigger: { payload: { path: secret } },
    });
    expect((await outcome(reads))?.reason).toContain('No such file');
    expect((await outcome(reads, { permissions: { read: [secret] } }))?.finalValue).toMatchObject({ content: 'real' });
    const env = aScenario([{ id: 'n', type: 'read_env', key: 'PATH' }], [], { world: { env: {} } });
    expect((await outcome(env))?.finalValue).toEqual({ key: 'PATH', value: null, missing: true });
  },
  'An `errored` run loses its path and last node.': async () => {
    let errored = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryPlan, async (plan) => {
        const { result } = await compilePure(plan).inspect(0);
        if (result.outcome?.status !== 'errored') return;
        errored++;
        expect(result.outcome.path.length).toBeGreaterThan(0);
        expect(result.outcome.lastNode).toBe(result.outcome.path.at(-1));
      }),
      { numRuns: 150 },
    );
    expect(errored).toBeGreaterThan(10);
  },
  'A branch label without an edge counts as completion.': async () => {
    let deadEnds = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryPlan, async (plan) => {
        const { result } = await compilePure(plan).inspect(0);
        if (result.outcome?.stoppedBy !== 'dead_end') return;
        deadEnds++;
        expect(result.outcome.status).toBe('completed');
      }),
      { numRuns: 150 },
    );
    expect(deadEnds).toBeGreaterThan(10);
    const routes = aScenario(
      [
        { id: 'n', type: 'switch', expr: 'trigger.x' },
        { id: 'end', type: 'terminate' },
      ],
      [{ from: 'n', to: 'end', when: 'left' }],
      {
        expected: { stoppedBy: 'terminate' },
      },
    );
    expect((await one(routes)).verdict).toBe('failed');
  },
  'Variants are picked by a fixed formula that ties turns together.': async () => {
    const variants = [{ content: 'a' }, { content: 'b' }];
    const model = (id: string): NodeDefinition => ({ id, type: 'llm_infer', backend: 'default', prompt: 'x' });
    const pairs = async (parts: Partial<ScenarioDefinition>): Promise<number> => {
      const two = aScenario([model('one'), model('two')], [{ from: 'one', to: 'two' }], {
        intel: { turns: [{ variants }, { variants }] },
        ...parts,
      });
      const seen = new Set<string>();
      for (let trial = 0; trial < 64; trial++) {
        const { trace } = await traceTrial({ scenario: two, trial });
        seen.add(JSON.stringify(trace?.events.flatMap((event) => (event.kind === 'output' ? [event.output] : []))));
      }
      return seen.size;
    };
    expect([await pairs({ sampler: 'reference' }), await pairs({})]).toEqual([2, 4]);
    const weighted = aScenario([model('n')], [], {
      trials: 4000,
      intel: { turns: [{ variants: [{ content: 'a', weight: 3 }, { content: 'b' }] }] },
    });
    const [served] = (await one(weighted)).turns;
    expect((served?.served[0] ?? 0) / 4000).toBeCloseTo(0.75, 1);
  },
  'Model turns form one queue that races under `parallel` and `map`.': async () => {
    const asks = 'corpus/fixtures/ask.toml';
    const each: NodeDefinition = {
      id: 'n',
      type: 'map',
      itemsFrom: 'trigger.items',
      workflow: asks,
      maxItems: 9,
      maxConcurrent: 9,
    };
    const contents = ['zero', 'one', 'two', 'three'];
    const maps = aScenario([each], [], {
      trigger: { payload: { items: [0, 1, 2, 3] } },
      intel: { turns: contents.map((content) => ({ content })) },
    });
    const final = JSON.stringify((await outcome(maps))?.finalValue);
    expect(contents.map((content) => final.indexOf(content))).toEqual(
      contents.map((content) => final.indexOf(content)).toSorted((a, b) => a - b),
    );
    expect(final).toContain('three');
    const model = (id: string): NodeDefinition => ({ id, type: 'llm_infer', backend: 'default', prompt: 'x' });
    const addressed = aScenario([model('a'), model('b')], [{ from: 'a', to: 'b' }], {
      intel: { turns: [{ node: 'b', content: 'for b' }, { content: 'for a' }] },
    });
    expect((await outcome(addressed))?.finalValue).toMatchObject({ content: 'for b' });
  },
  'Turns answer the backend `default` alone.': async () => {
    const asks = (backend: string) => {
      const { workflow, ...rest } = aScenario([{ id: 'n', type: 'llm_infer', backend, prompt: 'x' }], [], {
        intel: { turns: [{ content: 'a' }] },
      });
      const backends = [{ name: 'claude', provider: 'anthropic' as const, model: 'm', apiKeyEnv: 'KEY' }];
      return {
        ...rest,
        workflow: { inline: { ...(workflow as { inline: WorkflowDefinition }).inline, intelligence: { backends } } },
      };
    };
    expect((await outcome(asks('claude')))?.status).toBe('completed');
    expect((await outcome(asks('other')))?.reason).toContain('backend `other` is not configured');
  },
  '`1` and `1.0` are different labels.': async () => {
    for (const number of ['1', '1.0']) {
      const parses = aScenario(
        [
          { id: 'p', type: 'parse_json', inputFrom: 'trigger.text' },
          { id: 'n', type: 'switch', expr: 'p.parsed' },
          { id: 'end', type: 'terminate' },
        ],
        [
          { from: 'p', to: 'n' },
          { from: 'n', to: 'end', when: '1' },
        ],
        { trigger: { payload: { text: number } } },
      );
      expect((await outcome(parses))?.lastNode).toBe('end');
    }
  },
  'Integers have 64 bits; longer ones in JSON become floating-point numbers.': async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), async (integer) => {
        const renders = aScenario(
          [
            { id: 'p', type: 'parse_json', inputFrom: 'trigger.text' },
            { id: 'n', type: 'template_render', template: '{{parsed}}', inputFrom: 'p' },
          ],
          [{ from: 'p', to: 'n' }],
          {
            trigger: { payload: { text: String(integer) } },
          },
        );
        expect((await outcome(renders))?.finalValue).toEqual({ rendered: String(integer) });
      }),
      { numRuns: 30 },
    );
  },
  '`output_schema` only checks that the answer is JSON.': async () => {
    const asks = (outputSchema: string | JsonObject) =>
      aScenario([{ id: 'n', type: 'llm_infer', backend: 'default', prompt: 'x', outputSchema }], [], {
        intel: { turns: [{ content: '{"a": 1}' }] },
      });
    expect((await outcome(asks('inline')))?.status).toBe('completed');
    expect((await outcome(asks('schemas/gone.json')))?.status).toBe('completed');
    expect((await outcome(asks({ type: 'object', required: ['b'] })))?.reason).toContain('schema violation');
    expect((await outcome(asks('corpus/fixtures/order.schema.json')))?.reason).toContain('schema violation');
  },
  'A denial counts once per level of `call`, and not at all inside `agent_loop`; `on = "any"` retries denials.':
    async () => {
      let denied = 0;
      await fc.assert(
        fc.asyncProperty(arbitraryPlan, async (plan) => {
          const { result, trace } = await compilePure(plan).inspect(0);
          const denials = trace.events.filter(({ kind }) => kind === 'denial').length;
          denied += denials;
          if (result.outcome !== null) expect(result.outcome.counters.policyDenials).toBe(denials);
          // What is denied is not tried again at the same visit.
          for (const event of trace.events) {
            if (event.kind !== 'retry') continue;
            expect(event.message).not.toContain('policy violation');
          }
        }),
        { numRuns: 150 },
      );
      expect(denied).toBeGreaterThan(1);
      const retried = aScenario(
        [{ id: 'n', type: 'read_file', pathFrom: 'trigger.path', retry: { maxAttempts: 3, on: 'any' } }],
        [],
        {
          trigger: { payload: { path: '/a' } },
          policy: {},
        },
      );
      expect((await outcome(retried))?.counters).toMatchObject({ policyDenials: 1, retries: 0, nodeFailures: 1 });
    },
  '`pause_for_approval` always ends the trial `errored`, because the harness has nowhere to keep the checkpoint.':
    async () => {
      const pauses = (approvals: object) =>
        aScenario(
          [
            { id: 'n', type: 'pause_for_approval' },
            { id: 'end', type: 'terminate' },
          ],
          [{ from: 'n', to: 'end' }],
          { world: { approvals: approvals as never } },
        );
      expect((await outcome(pauses({})))?.status).toBe('paused');
      expect((await outcome(pauses({ n: { decision: 'resume' } })))?.lastNode).toBe('end');
    },
  "The workflow's `[budget]` is parsed and ignored.": async () => {
    const { workflow, ...rest } = aScenario(
      [
        { id: 'n', type: 'llm_infer', backend: 'default', prompt: 'x' },
        { id: 'm', type: 'llm_infer', backend: 'default', prompt: 'x' },
      ],
      [{ from: 'n', to: 'm' }],
      { intel: { turns: [{ content: 'a', promptTokens: 9 }, { content: 'b' }] } },
    );
    const inline = { ...(workflow as { inline: WorkflowDefinition }).inline, budget: { maxLlmTokens: 5 } };
    expect((await outcome({ ...rest, workflow: { inline } }))?.reason).toContain('budget.max_llm_tokens exceeded');
    const { workflow: late, ...waits } = aScenario(
      [
        { id: 'n', type: 'http_request', method: 'GET', urlFrom: 'trigger.url' },
        { id: 'm', type: 'terminate' },
      ],
      [{ from: 'n', to: 'm' }],
      {
        trigger: { payload: { url: 'http://a/x' } },
        world: { http: [{ method: 'GET', url: 'http://a/x', delayMs: 1500 }] },
      },
    );
    const within = (maxRunTimeSecs: number): ScenarioDefinition => {
      const flow = { ...(late as { inline: WorkflowDefinition }).inline, policy: { http: { urls: ['http://a/x'] } } };
      return { ...waits, workflow: { inline: { ...flow, budget: { maxRunTimeSecs } } } };
    };
    expect(await outcome(within(1))).toMatchObject({ status: 'timed_out', stoppedBy: 'timeout' });
    expect((await outcome(within(2)))?.status).toBe('completed');
  },
  'A walk ends after 10,000 nodes; nothing bounds a trial.': async () => {
    const child = flow('{ id = "n", type = "merge" }', 'edges = [{ from = "n", to = "n", max_iterations = 9000 }]\n');
    const cwd = aSuite({
      's.toml': scenario(
        flow('{ id = "n", type = "map", items_from = "trigger.items", workflow = "c.wf.toml", max_items = 200 }'),
        '',
        `[trigger]\npayload = { items = [${'0,'.repeat(120)}] }\n[expected.final]\ncontains = "safety cap hit: 1000000 steps in one trial"\n`,
      ),
      'c.wf.toml': child,
    });
    const { scenarios } = await runSuite({ cwd, workers: 0 });
    expect(sampled(scenarios[0]).cost.total.nodeExecutions).toBe(1_000_000);
    expect(sampled(scenarios[0]).checks).toEqual([]);
  },
  "A prompt's own letters beyond ASCII are corrupted.": async () => {
    const asks = aScenario(
      [{ id: 'n', type: 'llm_infer', backend: 'default', prompt: 'Größe → {{x}}', inputFrom: 'trigger' }],
      [],
      {
        trigger: { payload: { x: 'ü' } },
        intel: { turns: [{ content: 'a' }] },
        expected: { prompts: [{ contains: 'Größe → ü' }] },
      },
    );
    expect((await one(asks)).verdict).toBe('passed');
  },
  '`create_dir` of an empty path succeeds.': async () => {
    const makes = aScenario([{ id: 'n', type: 'create_dir', pathFrom: 'trigger.path' }], [], {
      trigger: { payload: { path: '' } },
    });
    expect((await outcome(makes))?.reason).toContain('No such file or directory (os error 2)');
  },
  'Token sums wrap at 2^32.': async () => {
    const asks = (trials: number) =>
      aScenario([{ id: 'n', type: 'llm_infer', backend: 'default', prompt: 'x' }], [], {
        trials,
        intel: { turns: [{ content: 'a', promptTokens: 4_000_000_000 }] },
      });
    expect((await one(asks(1000))).cost.total.llmTokens).toBe(4_000_000_000_000);
    await expect(one(asks(4_000_000))).rejects.toMatchObject({ code: 'PLAN' });
  },
  '`shell_run` judges and reports the file behind every link.': async () => {
    const cwd = aFolder();
    symlinkSync('/bin/echo', path.join(cwd, 'say'));
    const runs = (command: string) =>
      aScenario([{ id: 'n', type: 'shell_run', command }], [], { policy: { shell: { commands: ['/bin/echo'] } } });
    const permissions = { run: ['/bin/echo', path.join(cwd, 'say')] };
    expect((await outcome(runs('/bin/echo'), { permissions }))?.finalValue).toMatchObject({
      command: '/bin/echo',
      exit_code: 0,
    });
    expect((await outcome(runs(path.join(cwd, 'say')), { permissions }))?.stoppedBy).toBe('denial');
  },
  'A fixture reads the real disk, succeeds at what has no mock, and cannot expect a run that `errored`.': async () => {
    const reads = flow('{ id = "n", type = "read_file", path_from = "trigger.path" }');
    const runs = flow('{ id = "n", type = "shell_run", command = "/bin/x" }');
    expect(
      await codes({ 'f/workflow.toml': runs, 'f/fixture.toml': 'start = "main"\n[expected]\nstatus = "completed"\n' }),
    ).toEqual(['no_mock']);
    const cwd = aSuite({
      'f/workflow.toml': reads,
      'f/fixture.toml':
        'start = "main"\n[trigger]\npayload = { path = "/etc/passwd" }\n[expected]\nstatus = "errored"\n',
    });
    expect((await runSuite({ cwd, workers: 0 })).scenarios.map(({ verdict }) => verdict)).toEqual(['passed']);
  },
  'Coverage comes from the tags that authors write.': async () => {
    const { coverage } = await runSuite({
      scenarios: [aScenario([text('n', 'x')], [], { capabilities: ['template_render', 'shell_run'] })],
      workers: 0,
    });
    expect(coverage).toMatchObject({
      observed: ['template_render', 'trigger_manual'],
      claimed: ['shell_run'],
      byTags: ['shell_run', 'template_render'],
    });
  },
  'An `[expected]` that asserts nothing passes.': async () => {
    const report = await runSuite({
      scenarios: [aScenario([{ id: 'n', type: 'fail' }], [], { expected: {} })],
      workers: 0,
    });
    expect([report.scenarios[0]?.verdict, report.notices.map(({ code }) => code)]).toEqual([
      'passed',
      ['asserts_nothing'],
    ]);
  },
  'Any drop of a pass rate is drift.': async () => {
    const folder = aFolder();
    const baseline = path.join(folder, 'baseline.json');
    const routes = (contents: readonly string[]) =>
      aScenario([{ id: 'n', type: 'llm_infer', backend: 'default', prompt: 'x', outputSchema: 'inline' }], [], {
        trials: 20,
        minPassRate: 0.1,
        intel: { turns: [{ variants: contents.map((content) => ({ content })) }] },
      });
    await runSuite({ scenarios: [routes(['1', '2'])], workers: 0, saveBaseline: baseline });
    const after = [routes(['1', '2', '3', '4', '5', '6', '7', 'no'])];
    const verdictOf = async (drift: 'evidence' | 'strict') =>
      (await runSuite({ scenarios: after, workers: 0, baseline, drift })).gate.verdict;
    const { trials } = await one(after[0] as ScenarioDefinition);
    expect(trials.failed).toBeGreaterThan(0);
    expect([await verdictOf('evidence'), await verdictOf('strict')]).toEqual(['pass', 'fail']);
  },
  'The exit code is 1 for a corpus without scenarios, a file that does not load, and a baseline that cannot be read.':
    async () => {
      const cwd = aFolder();
      expect((await runPassk(['.'], { cwd })).status).toBe(2);
      writeFileSync(path.join(cwd, 's.toml'), aGreeting());
      expect((await runPassk(['.', '--baseline', 'gone.json'], { cwd })).status).toBe(2);
      expect((await runPassk(['.'], { cwd })).status).toBe(0);
      writeFileSync(path.join(cwd, 's.toml'), aGreeting({ lastNode: 'greet' }));
      expect((await runPassk(['.'], { cwd })).status).toBe(1);
      writeFileSync(path.join(cwd, 's.toml'), 'name = ');
      expect((await runPassk(['.'], { cwd })).status).toBe(2);
    },
  '`--json` prints its own shape.': async () => {
    const report = await runSuite({ scenarios: [aScenario([TERMINATES])], workers: 0 });
    expect(JSON.parse(renderReport(report, { reporter: 'json' }))).toMatchObject({
      schema: expect.stringMatching('^passk-report/'),
    });
    expect(Object.keys(JSON.parse(renderReport(report, { reporter: 'reference-json' })) as object)).toEqual([
      'scenarios',
      'summary',
    ]);
  },
  '`failures` has a line for each failed assertion of every trial.': async () => {
    const failing = aScenario([TERMINATES], [], { trials: 9, expected: { status: 'failed', lastNode: 'n' } });
    const report = await runSuite({ scenarios: [failing], workers: 0 });
    const { scenarios } = JSON.parse(renderReport(report, { reporter: 'reference-json' })) as JsonObject;
    const line = (trial: number): string => `trial ${trial}: status: expected failed, got completed`;
    expect(scenarios).toMatchObject([{ trials: 9, passed_trials: 0, failures: [line(0), line(1), line(2)] }]);
  },
};

const rows = rowsBelow('What differs').map(([first = '']) => first);

test('every row of the document has a test here, and every test a row', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(Object.keys(HOLDS)).toEqual(rows);
});

test.each(rows)('it differs as the document says: %s', { timeout: 60_000 }, async (row) => {
  await HOLDS[row]?.();
});
