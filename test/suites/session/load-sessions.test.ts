import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSuite, runSuite } from '../../../src/index.ts';
import { aFolder } from '../../cli/run-passk.ts';

const WORLD = `[state]
n = 0
[[tools]]
name = "add"
parameters = { properties = { by = { type = "integer" } }, required = ["by"] }
steps = [
  { fail = "No.", when = [{ value = "{{args.by}}", below = 0 }] },
  { get = ["n"], as = "before" },
  { compute = "after", value = "{{before}}", plus = "{{args.by}}" },
  { set = ["n"], value = "{{after}}" },
]
`;

const TASKS = (tasks: string, head = ''): string => `name = "sums"\n[session]\n${head}\n${WORLD}\n${tasks}`;

const TASK = `[[tasks]]
name = "one"
user = { opening = "Add one." }
agents = [{ name = "a", turns = [{ calls = [{ tool = "add", args = { by = 1 } }], says = "Done." }] }]
`;

/** Each problem as `line: message`. */
async function problemsOf(files: Readonly<Record<string, string>>, first = 'a.toml'): Promise<readonly string[]> {
  const cwd = aFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  const { issues } = await loadSuite({ cwd, paths: [first] });
  return issues.map(({ at, message }) => `${at?.file}:${at?.line}: ${message}`);
}

test('an agent of a task that says where it is found is told where agents of its own kind stand', async () => {
  const cwd = aFolder();
  const own = TASK.replace(/agents = .*/, 'agents = [{ name = "mine", module = "agent.mjs", tools = "mcp" }]');
  writeFileSync(path.join(cwd, 'a.toml'), TASKS(own));
  const { issues } = await loadSuite({ cwd, paths: ['a.toml'] });
  const hint = 'Agents of a task have canned answers. One of your own stands under [[agents]] at the top of the file.';
  expect(issues.map(({ message, hint: help }) => [message, help])).toEqual([
    ['"tasks[0].agents[0]" needs the key "turns".', hint],
    ['"tasks[0].agents[0].module" is not a known key.', hint],
    ['"tasks[0].agents[0].tools" is not a known key.', hint],
  ]);
});

test('each agent on each task is a scenario; what the file says of all, a task may say anew', async () => {
  const cwd = aFolder();
  const text = `name = "sums"\ntrials = 3\ntags = ["t"]\nsuite = "stress"\n[session]\n${WORLD}
[[tasks]]
name = "one"
trials = 7
tags = ["own"]
state = [{ at = "n", value = 5 }]
user = { opening = "Add one." }
gold = { calls = [{ tool = "add", args = { by = 1 } }], match = "strict", counts = true }
agents = [
  { name = "a", turns = [{ says = "Done." }] },
  { name = "b", turns = [{ says = "Done." }], fails = ["gold", "state"] },
]
${TASK.replace('"one"', '"two"')}`;
  writeFileSync(path.join(cwd, 'a.toml'), text);
  const { scenarios } = await loadSuite({ cwd, paths: ['a.toml'] });
  expect(scenarios.map(({ name, trials, tags, origin }) => ({ name, trials, tags, suite: origin?.suite }))).toEqual([
    { name: 'sums: one · a', trials: 7, tags: ['t', 'own'], suite: 'stress' },
    { name: 'sums: one · b', trials: 7, tags: ['t', 'own'], suite: 'stress' },
    { name: 'sums: two', trials: 3, tags: ['t'], suite: 'stress' },
  ]);
  expect(scenarios[1]?.expected).toMatchObject({
    status: 'completed',
    state: { gold: { n: 6 } },
    gold: { match: 'strict', args: 'exact', counts: true },
    fails: ['gold', 'state'],
  });
  expect(scenarios[0]?.subject).toMatchObject({ kind: 'session', world: { state: { n: 5 } } });
});

test('a file with tasks and a misspelt [session] is told what was meant, and not what a scenario lacks', async () => {
  expect(await problemsOf({ 'a.toml': TASKS(TASK).replace('[session]', '[sesion]') })).toEqual([
    'a.toml:2: "sesion" is not a known key.',
    'a.toml:16: Nothing is expected of this task but that the session ends.',
  ]);
});

const SILENT = 'a.toml:21: Every text has this, so it tells nothing apart.';
const UNASKED = 'a.toml:16: Nothing is expected of this task but that the session ends.';

test.each<[string, readonly string[]]>([
  ['says = [""]', [SILENT]],
  ['says = [{}]', [SILENT]],
  ['says = [{ matches = "" }]', [SILENT]],
  ['says = [{ matches = ".*" }]', [SILENT]],
  ['says = [{ contains = "Done", matches = ".*" }, { matches = "." }]', []],
  ['state = [{ at = "n", contains = "" }]', [SILENT]],
  ['checks = []', [UNASKED]],
  ['commands = []', [UNASKED]],
  ['min_tool_calls = 0', [UNASKED]],
  ['state_schema = {}', [UNASKED]],
  ['max_tool_calls = 0', []],
])('of a task that expects %s, what asserts nothing is told', async (expected, problems) => {
  expect(await problemsOf({ 'a.toml': `${TASKS(TASK)}[tasks.expected]\n${expected}\n` })).toEqual(problems);
});

test.each([
  ['', ['a.toml:3: Nothing is expected of this task but that the session ends.']],
  [', match = "superset"', ['a.toml:3: Nothing is expected of this task but that the session ends.']],
  [', counts = true', []],
])('recorded tools change no state, so that gold calls {…%s} judge only where they count', async (terms, problems) => {
  const task = `[[tasks]]\nname = "t"\nuser = { opening = "Hi." }
agents = [{ name = "a", turns = [{ says = "Done." }] }]
gold = { calls = [{ tool = "find" }]${terms} }\n`;
  const recorded = {
    schema: 'passk-recorded-tools/1',
    tools: [{ name: 'find' }],
    answers: [{ tool: 'find', args: {}, result: 1 }],
  };
  const files = {
    'a.toml': `name = "sums"\nsession = { world = "w.tools.json" }\n${task}`,
    'w.tools.json': JSON.stringify(recorded),
  };
  expect(await problemsOf(files)).toEqual(problems);
});

test('a file of tasks needs no [session] that says nothing', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), `name = "sums"\n${WORLD}${TASK}expected = { says = ["Done"] }\n`);
  expect(await runSuite({ cwd, paths: ['a.toml'], workers: 0 })).toMatchObject({
    notices: [],
    gate: { verdict: 'pass' },
    scenarios: [{ name: 'sums: one', trials: { passed: 1 } }],
  });
});

test('a marker of an argument that the tool does not take is told, wherever it stands', async () => {
  const misspelt = WORLD.replace('plus = "{{args.by}}"', 'plus = "{{ args.bye }}"');
  const result = '\nresult = { added = "{{args.buy.more}} of {{args.by}}" }';
  expect(await problemsOf({ 'a.toml': TASKS(TASK).replace(WORLD, `${misspelt}${result}\n`) })).toEqual([
    'a.toml:12: The parameters of the tool have no "bye", so that nothing is behind this marker.',
    'a.toml:16: The parameters of the tool have no "buy", so that nothing is behind this marker.',
    'a.toml:18: Nothing is expected of this task but that the session ends.',
  ]);
  const open = misspelt.replace('parameters = {', 'parameters = { additionalProperties = true,');
  expect(await problemsOf({ 'a.toml': TASKS(TASK).replace(WORLD, open) })).toEqual([
    'a.toml:16: Nothing is expected of this task but that the session ends.',
  ]);
});

test('a world may stand in a file of its own, which is no scenario file', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), `name = "sums"\n[session]\nworld = "w.toml"\n${TASK}`);
  writeFileSync(path.join(cwd, 'w.toml'), WORLD);
  const { scenarios, issues } = await loadSuite({ cwd, paths: ['.'] });
  expect(scenarios.map(({ name }) => name)).toEqual(['sums: one']);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each<[string, string, readonly string[]]>([
  [
    'a gold call that fails on a fresh world',
    TASKS(`${TASK}gold = { calls = [{ tool = "add", args = { by = -1 } }] }`),
    ['This gold call fails on a fresh world: No.'],
  ],
  [
    'gold arguments that do not fit',
    TASKS(`${TASK}gold = { calls = [{ tool = "add", args = { by = "x" } }] }`),
    [expect.stringMatching(/This gold call fails on a fresh world: The arguments of add do not fit: .*by/) as never],
  ],
  [
    'a gold call of a tool that is not there',
    TASKS(`${TASK}gold = { calls = [{ tool = "ad" }] }`),
    ['The world has no tool "ad".'],
  ],
  [
    'a check that no control can fail',
    TASKS(TASK.replace('name = "a",', 'name = "a", fails = ["stat"],')),
    ['The task has no check "stat" that could fail.'],
  ],
  ['two tasks of one name', TASKS(TASK + TASK), ['There is another task "one".']],
  ['a task without a name', TASKS(TASK.replace('"one"', '""')), ['"tasks[0].name" must not be empty.']],
  [
    'a pattern that is none',
    TASKS(TASK.replace('opening = "Add one."', 'opening = "x", ends = ["("], replies = [{ when = "[", says = "y" }]')),
    [
      expect.stringContaining('This is not a pattern') as never,
      expect.stringContaining('This is not a pattern') as never,
    ],
  ],
  [
    'a change of what the user does not know',
    TASKS(
      TASK.replace(
        'opening = "Add one."',
        'opening = "x", known = { day = "1" }, changes = [{ says = "y", known = { dy = "2" } }]',
      ),
    ),
    ['The user knows no "dy" that could change.'],
  ],
  [
    'steps that do nothing, several things, or lack a value',
    TASKS(TASK).replace(
      '{ get = ["n"], as = "before" }',
      '{ as = "x" }, { get = ["n"], remove = ["n"] }, { set = ["n"] }',
    ),
    [
      'This step does nothing.',
      'This step does several things: get, remove.',
      'A step with "set" needs the key "value".',
    ],
  ],
  [
    'tests that test nothing, or of nothing',
    TASKS(TASK).replace(
      '[{ value = "{{args.by}}", below = 0 }]',
      '[{ value = 1 }, { below = 0 }, { at = ["n"], in = 1 }]',
    ),
    [
      'This tests nothing.',
      'A test needs one of "at" and "value".',
      '"in" must be a list, or a marker that stands for one.',
    ],
  ],
  [
    'a tool whose schema cannot be enforced',
    TASKS(TASK).replace('{ type = "integer" }', '{ type = "int" }'),
    [expect.stringMatching(/^This JSON Schema is wrong/) as never],
  ],
  [
    'a world file that is not there',
    TASKS(TASK, 'world = "w.toml"').replace(WORLD, ''),
    ['There is no world file "w.toml".'],
  ],
  [
    'a state that stands in both files',
    TASKS(TASK, 'world = "w.toml"'),
    ['"state" stands in the world file as well.', '"tools" stands in the world file as well.'],
  ],
  [
    'a place of the state that cannot be',
    TASKS(`${TASK}state = [{ at = "n.x", value = 1 }]`),
    ['What stands at "n" is neither a table nor a list.'],
  ],
])('%s is told with its place', async (_, text, messages) => {
  const problems = await problemsOf({ 'a.toml': text });
  expect(problems.map((one) => one.replace(/^a\.toml:\d+: /, ''))).toEqual(expect.arrayContaining([...messages]));
  for (const one of problems) expect(one).toMatch(/^a\.toml:\d+: /);
});

test('what another file holds that was named as a world is not shown', async () => {
  const files = {
    'a.toml': `name = "sums"\n[session]\nworld = "secret.toml"\n${TASK}`,
    'secret.toml': 'password = "hunter2"\n',
  };
  const problems = await problemsOf(files);
  expect(problems.join('\n')).toContain('"secret.toml" is not a world');
  expect(problems.join('\n')).not.toContain('hunter2');
});

test('a file whose gold calls would take minutes is refused', async () => {
  const calls = Array.from({ length: 2000 }, () => '{ tool = "look" }').join(', ');
  const text = TASKS(`${TASK}gold = { calls = [${calls}] }`)
    .replace('n = 0', `n = 0\nmany = [${'0, '.repeat(20_000)}]`)
    .replace('[[tasks]]', '[[tools]]\nname = "look"\nsteps = [{ list = ["many"] }]\n[[tasks]]');
  expect(await problemsOf({ 'a.toml': text })).toEqual([expect.stringContaining('This file takes too long to check')]);
});

test('expectations about the state take the words of all tests of values', async () => {
  const cwd = aFolder();
  const tests = [
    '{ at = "n", above = 0 }',
    '{ at = "n", equals_json = "null" }',
    '{ at = "n", contains = "1" }',
    '{ at = "n", matches = "^1$" }',
    '{ at = "n", schema = { type = "integer" } }',
  ];
  writeFileSync(path.join(cwd, 'a.toml'), TASKS(`${TASK}expected = { state = [${tests.join(', ')}] }`));
  const { scenarios, issues } = await loadSuite({ cwd, paths: ['a.toml'] });
  expect(issues).toEqual([]);
  expect(scenarios[0]?.expected.state?.values.map(({ test: one }) => one)).toEqual([
    { kind: 'above', value: 0 },
    { kind: 'equals', value: null },
    { kind: 'contains', text: '1' },
    { kind: 'matches', pattern: '^1$' },
    { kind: 'schema', schema: { type: 'integer' } },
  ]);
  const report = await runSuite({ cwd, paths: ['a.toml'], workers: 0 });
  expect(report.scenarios[0]).toMatchObject({
    verdict: 'failed',
    checks: [{ check: 'state n equals', failed: 1 }],
  });
});

test('every problem of a file is told at once, and none that only follows from another', async () => {
  const text = TASKS(
    `${TASK.replace('"one"', '1').replace('name = "a",', 'name = "a", fails = ["stat"],')}gold = { calls = [{ tool = "ad" }] }
${TASK.replace('opening', 'openin')}
expected = { says = [{ matches = "(" }], state = [{ at = "n" }], min_tool_calls = "x" }
${TASK.replace('name = "one"', 'name = "three"').replace('turns', 'turn')}`,
  );
  const problems = await problemsOf({ 'a.toml': text });
  expect(problems.map((one) => one.replace(/^a\.toml:\d+: /, ''))).toEqual([
    '"tasks[0].name" must be a string, not the integer 1.',
    '"tasks[1].user.openin" is not a known key.',
    '"tasks[1].expected.min_tool_calls" must be an integer, not the string "x".',
    '"tasks[2].agents[0].turn" is not a known key.',
    'The world has no tool "ad".',
    'The task has no check "stat" that could fail.',
    'This tests nothing.',
    expect.stringContaining('This is not a pattern'),
  ]);
});

test('a sub-goal is one thing that can be reached, and not before anything is done', async () => {
  const goals = `[[tasks.goals]]
name = "a"
tool = "add"
at = "n"
[[tasks.goals]]
name = "a"
[[tasks.goals]]
name = "b"
tool = "ad"
[[tasks.goals]]
name = "c"
at = "n"
equals = 0
[[tasks.goals]]
name = "d"
at = "n"
matches = "("
`;
  const problems = await problemsOf({ 'a.toml': TASKS(`${TASK}expected = { says = ["x"] }\n${goals}`) });
  expect(problems.map((one) => one.replace(/^a\.toml:\d+: /, ''))).toEqual([
    'This is several goals: tool, at.',
    'The task has another goal "a".',
    'Nothing reaches this goal.',
    'The world has no tool "ad".',
    'The goal "c" is reached before anything is done.',
    expect.stringContaining('This is not a pattern'),
  ]);
});

test('a gold call that fails is told alone: its check is there, and controls may name it', async () => {
  const text = TASKS(
    `${TASK.replace('name = "a",', 'name = "a", fails = ["state"],')}gold = { calls = [{ tool = "add", args = { by = -1 } }] }`,
  );
  expect(await problemsOf({ 'a.toml': text })).toEqual([
    expect.stringContaining('This gold call fails on a fresh world: No.'),
  ]);
});

test('a gold call says which of its arguments are meant; what is carried out must be right by that', async () => {
  const cwd = aFolder();
  const gold = (where: string, more = ''): string =>
    TASKS(`${TASK}gold = { calls = [{ tool = "add", args = { by = 2 }, where = [${where}]${more} }], counts = true }`);
  writeFileSync(path.join(cwd, 'a.toml'), gold('{ at = "by", in = [1, 2] }'));
  const { scenarios } = await runSuite({ cwd, paths: ['a.toml'], workers: 0 });
  // It added one: its call is as good as the gold one, and the state is another.
  expect(scenarios[0]).toMatchObject({ verdict: 'failed', checks: [{ check: 'state', failed: 1 }] });
  expect(scenarios[0]).not.toHaveProperty('failures.0.record.session.divergence');
  expect(await problemsOf({ 'a.toml': gold('{ at = "by", above = 2 }') })).toEqual([
    expect.stringContaining('The arguments of this gold call of add do not pass its own tests.'),
  ]);
  expect(await problemsOf({ 'a.toml': gold('{ at = "by", below = 9 }', ', match_args = "some"') })).toEqual([
    expect.stringContaining('match_args'),
  ]);
  expect(await problemsOf({ 'a.toml': gold('{ at = "by" }') })).toEqual([expect.stringContaining('tests nothing')]);
});

test('a file whose only agent has an error is told of that, and not that nobody is tried', async () => {
  const task = TASK.replace(/^agents = .*\n/m, '');
  const text = (agents: string): string => TASKS(`${task}expected = { says = ["x"] }\n${agents}`);
  const nobody = 'Nobody is tried on this task.';
  expect(await problemsOf({ 'a.toml': text('') })).toEqual([expect.stringContaining(nobody)]);
  const wrong = await problemsOf({ 'a.toml': text('[[agents]]\nname = "a"\ntype = "module"') });
  expect(wrong).toEqual([expect.not.stringContaining(nobody)]);
});

test('a task of which nothing is expected is a warning', async () => {
  expect(await problemsOf({ 'a.toml': TASKS(TASK) })).toEqual([
    expect.stringContaining('Nothing is expected of this task but that the session ends.'),
  ]);
});

test('a place that the world can never have is a warning wherever the state is tested', async () => {
  const world = `[state]
list = []
orders = { A = { status = "open" } }
[[tools]]
name = "put"
parameters = { properties = { what = {}, key = { type = "string" } } }
steps = [
  { append = ["list"], value = { what = "{{args.what}}" } },
  { set = ["orders", "A", "by"], value = { who = "{{args.key}}" } },
  { set = ["free", "{{args.key}}"], value = 1 },
]
`;
  const agents =
    '[{ name = "a", turns = [{ calls = [{ tool = "put", args = { what = 1, key = "k" } }], says = "x" }] }]';
  const text = (places: readonly string[], more = ''): string => `name = "x"
[session]
${world}
[[tasks]]
name = "t"
state = [{ at = "mine", value = 1 }]
user = { opening = "x" }
agents = ${agents}
expected = { says = ["x"], state = [
${places.map((at) => `{ at = "${at}", not_equals = 7 },`).join('\n')}
] }
${more}`;
  const sound = ['', 'mine', 'list.3.what.deep', 'orders.A.by.who', 'free.any', 'orders'];
  expect(await problemsOf({ 'a.toml': text(sound) })).toEqual([]);
  const goals =
    'goals = [{ name = "g", at = "ordres.A.status", equals = "done" }]\nsuggest = [{ name = "s", at = "fre.k", equals = 1 }]';
  const attack = `[[attacks]]
name = "x"
payload = "do"
succeeds = [{ at = "mime", equals = 2 }]
owasp = ["ASI01"]`;
  const cwd = aFolder();
  const wrong = ['lst.0', 'list.0.wat', 'list.first', 'orders.A.status.x', 'orders.A.by.whoo'];
  writeFileSync(path.join(cwd, 'a.toml'), text(wrong, `${goals}\n${attack}`));
  const { issues } = await loadSuite({ cwd, paths: ['a.toml'] });
  const places = issues.filter(({ code }) => code === 'unknown_place');
  expect(places.every(({ severity, at }) => severity === 'warning' && at?.line !== undefined)).toBe(true);
  expect(places.map(({ message, hint }) => [/"(.*?)"/.exec(message)?.[1], hint])).toEqual([
    ['mime', 'Did you mean "mine"?'],
    ['lst.0', 'Did you mean "list.0"?'],
    ['list.0.wat', 'Did you mean "list.0.what"?'],
    ['list.first', 'There are no known keys here.'],
    ['orders.A.status.x', 'There are no known keys here.'],
    ['orders.A.by.whoo', 'Did you mean "orders.A.by.who"?'],
    ['ordres.A.status', 'Did you mean "orders.A.status"?'],
    ['fre.k', 'Did you mean "free.k"?'],
  ]);
});
