import { expect, test } from 'vitest';
import { loadSuite, mergeShards, renderReport, runShard, runSuite } from '../../src/index.ts';
import { documentsOf, placesIn } from '../../src/suite/check-places.ts';
import { folderWith, tauRuns, tauText } from './recordings/tau-runs.ts';

/** The lines at which a file asks for the checks of its scenarios, by the text of the line. */
async function linesOf(text: string, more: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
  const cwd = folderWith({ 'a.toml': text, ...more });
  const { scenarios, issues } = await loadSuite({ cwd, paths: ['a.toml'] });
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const placesOf = placesIn(documentsOf(new Map([['a.toml', { path: '/a.toml', name: 'a.toml', text }]])));
  const lines = text.split('\n');
  const shown = ({ line, column }: { readonly line: number; readonly column: number }): string =>
    lines[line - 1]?.slice(column - 1) ?? '';
  return scenarios.map((scenario) => {
    const { checks = {}, subject } = placesOf(scenario) ?? {};
    return [
      scenario.name,
      subject === undefined ? null : shown(subject),
      ...Object.entries(checks).map(([name, place]) => [name, shown(place)]),
    ];
  });
}

const FLOW = `name = "places"
[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "A number?", input_from = "trigger" },
  { id = "end", type = "terminate" },
]
edges = [{ from = "ask", to = "end" }]
'''
[[intel.turns]]
content = "7"
[expected]
status = "completed"
max_llm_calls = 1
min_total_tokens = 0
forbidden_nodes = ["end"]
checks = [{ module = "a.mjs" }, { module = "b.mjs" }]
denials = [{ contains = "x", count = 0 }]
[expected.final]
equals = 7
exists = true
[[expected.values]]
node = "ask"
contains = "7"
matches = "7"
[[expected.values]] # second
node = "ask"
exists = true
[[expected.prompts]]
contains = "number"
[[expected.prompts]] # second
contains = "A"
[expected.respond]
status = 200
[expected.files]
exist = ["/a"]
[[expected.http]]
url = "https://example.org"
[[expected.http]] # second
url = "https://example.com"
`;

test('each check of a scenario has its place, tests of one table the same', async () => {
  const [found] = await linesOf(FLOW, { 'a.mjs': '', 'b.mjs': '' });
  expect(found).toEqual([
    'places',
    'workflow]',
    ['a', '{ module = "a.mjs" }, { module = "b.mjs" }]'],
    ['b', '{ module = "b.mjs" }]'],
    ['status', '"completed"'],
    ['max_llm_calls', '1'],
    ['forbidden_nodes end', '"end"]'],
    ['min_total_tokens', '0'],
    ['final_value equals', 'expected.final]'],
    ['final_value exists', 'expected.final]'],
    ['value ask contains', 'expected.values]]'],
    ['value ask matches', 'expected.values]]'],
    ['value ask exists', 'expected.values]] # second'],
    ['respond status', 'expected.respond]'],
    ['prompts', 'expected.prompts]]'],
    ['prompts #2', 'expected.prompts]] # second'],
    ['http https://example.org', 'expected.http]]'],
    ['http https://example.com', 'expected.http]] # second'],
    ['denials', '{ contains = "x", count = 0 }]'],
    ['files exist /a', 'expected.files]'],
  ]);
});

const TASK = `[tasks.gold]
calls = []
[tasks.expected]
says = ["one", "two"]
max_tool_calls = 0
invariants = [{ type = "completes" }, { id = "private", type = "excludes_pii" }]
state = [{ at = "paid", exists = true }]
`;

test('a task of a file has its own places, and so has a file that is a task itself', async () => {
  const agents = '[[agents]]\nname = "desk"\nendpoint = "http://localhost:8000"\nstateless = true\n';
  const tasks = ['first', 'second'].map((name) => `[[tasks]]\nname = "${name}"\nuser = { opening = "Hi." }\n${TASK}`);
  const file = `name = "tasks"\n[session]\n[state]\npaid = 0\n${agents}${tasks.join('')}`;
  const [first, second] = (await linesOf(file)) as (readonly unknown[])[];
  const checks = [
    ['completes', '{ type = "completes" }, { id = "private", type = "excludes_pii" }]'],
    ['private', '{ id = "private", type = "excludes_pii" }]'],
    ['state', 'tasks.gold]'],
    ['state paid exists', '{ at = "paid", exists = true }]'],
    ['says "one"', '"one", "two"]'],
    ['says "two"', '"two"]'],
    ['max_tool_calls', '0'],
  ];
  expect([first?.slice(0, 2), second?.slice(0, 2)]).toEqual([
    ['tasks: first', '"first"'],
    ['tasks: second', '"second"'],
  ]);
  for (const one of [first, second]) expect(one?.slice(2)).toEqual(expect.arrayContaining(checks));
  const alone = `name = "alone"\n[state]\npaid = 0\n${agents.replace('[[agents]]\nname = "desk"', '[agent]')}[user]\nopening = "Hi."\n${TASK.replaceAll('tasks.', '')}`;
  const [found] = (await linesOf(alone)) as (readonly unknown[])[];
  expect(found?.slice(0, 2)).toEqual(['alone', 'agent]']);
  const atTop = checks.map(([name, place]) => [name, place?.replace('tasks.', '')]);
  expect(found?.slice(2)).toEqual(expect.arrayContaining(atTop));
});

test('recorded runs have the places of their rules, and a file that is gone has none', async () => {
  const text = `name = "airline"
[recording]
files = ["runs.json"]
checks = [{ module = "a.mjs" }]
[[recording.invariants]]
type = "excludes_pii"
`;
  const runs = tauText(tauRuns({ a: 1 }, 1));
  const [found] = await linesOf(text, { 'runs.json': runs, 'a.mjs': '' });
  expect(found).toEqual([
    'airline',
    'recording]',
    ['excludes_pii', 'recording.invariants]]'],
    ['verdict', 'recording]'],
    ['a', '{ module = "a.mjs" }]'],
  ]);
  const { scenarios } = await loadSuite({ cwd: folderWith({ 'a.toml': FLOW, 'a.mjs': '', 'b.mjs': '' }) });
  const [scenario] = scenarios;
  expect(scenario === undefined ? undefined : placesIn(documentsOf(new Map()))(scenario)).toBeNull();
});

test('a failing task is shown where its file asks for what it failed, and the same of merged shards', async () => {
  const text = `name = "hours"
trials = 20
[agent]
turns = [{ says = "Always!" }]
[user]
opening = "When?"
[expected]
says = ["10 to 16"]
`;
  const cwd = folderWith({ 'a.toml': text });
  const report = await runSuite({ cwd, workers: 0 });
  const github = renderReport(report, { reporter: 'github', timing: false });
  expect(github).toContain('file=a.toml,line=8,col=9');
  const shards = await Promise.all([1, 2].map((index) => runShard({ cwd, workers: 0, shard: { index, count: 2 } })));
  const { report: merged } = await mergeShards(
    shards.map(({ bytes }, at) => ({ name: `${at}`, bytes })),
    { cwd },
  );
  expect(renderReport(merged, { reporter: 'github', timing: false })).toBe(github);
});
