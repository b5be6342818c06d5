import { expect, test } from 'vitest';
import { loadSuite } from '../../../src/suite/load-suite.ts';
import { inFolder } from '../../suite/contract-runs.ts';

const issuesOf = async (name: string, text: string) =>
  inFolder({ [name]: text }, async (cwd) => (await loadSuite({ cwd, paths: [name] })).issues);

test.each([
  ['not_contains', 'Write "excludes_pattern" with patterns, or "contains" with negate = true.'],
  ['not_regex', 'Write "excludes_pattern" with patterns, or "regex" with negate = true.'],
  ['contain', 'Did you mean "contains"?'],
])('the type %s is not taken for its opposite', async (type, hint) => {
  const text = `
golden_prompts = ["Hello?"]
[agent]
command = ["./agent"]
[contract]
name = "hints"
[[contract.invariants]]
id = "rule"
type = "${type}"
value = "secret"
`;
  const issues = (await issuesOf('hints.toml', text)).filter(({ severity }) => severity === 'error');
  expect(issues).toMatchObject([{ message: `"contract.invariants[0].type" cannot be "${type}".`, hint }]);
});

test('rules that everything reaches are told to assert nothing', async () => {
  const text = `
golden_prompts = ["Hello?"]
[agent]
command = ["./agent"]
[contract]
name = "hints"
invariants = [
  { id = "a", type = "similarity", expected = "Hi.", threshold = 0 },
  { id = "b", type = "behavior_unchanged", similarity_threshold = 0 },
  { id = "c", type = "faithful", texts = ["Hi."], min_score = 0 },
  { id = "d", type = "similarity", expected = "Hi.", threshold = 0.1 },
]
`;
  const hollow = (await issuesOf('hollow.toml', text)).filter(({ code }) => code === 'asserts_nothing');
  expect(hollow.map(({ severity, message }) => `${severity} ${message}`)).toEqual(
    ['threshold', 'similarity_threshold', 'min_score'].map(
      (key) => `warning \`${key} = 0\` asserts nothing: everything reaches it.`,
    ),
  );
});

test('a recorded session is called one, and nothing else is said of it', async () => {
  const session = `
id: incident_001
name: Wrong price
source: manual
input: What does it cost?
tool_responses:
  - tool: quotes
    response: null
expected_failure: It made up a price.
contract: default
`;
  expect(await issuesOf('incident.yaml', session)).toMatchObject([
    {
      code: 'recorded_session',
      message: 'This is a recorded session, which says nothing of whom it is replayed with.',
      hint: 'Name it in a contract: sessions = [{ file = "…" }] under [replays].',
    },
  ]);
});

test('a chaos profile is called one, and nothing else is said of it', async () => {
  const profile = 'name: late\nchaos:\n  tool_faults:\n    - tool: "*"\n      mode: slow\n';
  expect(await issuesOf('late.yaml', profile)).toMatchObject([
    {
      code: 'chaos_profile',
      message: 'This is a chaos profile, which says nothing of whom it strikes.',
      hint: 'Name it in a column of a contract: profile = "…" under [[contract.chaos_matrix]].',
    },
  ]);
});

test('a file with another ending is told which endings there are', async () => {
  expect(await issuesOf('flakestorm.yaml.example', 'agent: {}')).toMatchObject([
    {
      message: '"flakestorm.yaml.example" is neither a .toml nor a .yaml file, nor a module.',
      hint: 'Scenario files end with .toml, contracts also with .yaml or .yml, and modules with .mjs, .mts, .js or .ts: rename it.',
    },
  ]);
});

test('contexts that a subject does not have are named with their places, all at once', async () => {
  const rule = (lines: string) => `[[contract.invariants]]\nid = "grounded"\ntype = "faithful"\n${lines}`;
  const agent = '[agent]\ncommand = ["./agent"]\n[contract]\nname = "a"\nprompts = ["Hello?"]\n';
  const problems = async (text: string) =>
    (await issuesOf('a.toml', text))
      .filter(({ severity }) => severity === 'error')
      .map(({ message, at }) => `${at?.line}: ${message}`);
  expect(await problems(`${agent}${rule('nodes = ["say"]')}`)).toEqual(['9: Only workflows have nodes.']);
  const workflow = `[contract]
name = "a"
${rule('tools = true\nnodes = ["seach"]')}
${rule('').replace('grounded', 'other')}
[workflow]
inline = '''
name = "a"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "search"
type = "template_render"
template = "5"
'''
`;
  expect(await problems(workflow)).toEqual([
    '6: A workflow has no contexts under "tools".',
    '7: There is no node "seach" in workflow "a".',
    '8: Nothing here could support an answer.',
  ]);
});
