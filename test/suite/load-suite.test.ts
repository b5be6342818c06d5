import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadFor, loadSuite } from '../../src/suite/load-suite.ts';
import { resolveLoadOptions } from '../../src/settings/options.ts';

const paths = ['corpus'];

/** The ways to all objects and lists that can be changed. */
function open(value: unknown, way = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, inner]) => open(inner, `${way}/${key}`));
  return Object.isFrozen(value) ? inside : [way, ...inside];
}

test('scenarios that are shown are frozen through and through', async () => {
  const { scenarios } = await loadSuite({ paths });
  expect(scenarios.length).toBeGreaterThan(10);
  expect(scenarios.flatMap((scenario) => open(scenario, scenario.file))).toEqual([]);
});

test('scenarios that nobody else sees say the same', async () => {
  const own = await loadFor(resolveLoadOptions({ paths }), { isOwn: true });
  expect(own.suite).toEqual(await loadSuite({ paths }));
});

test('files of other programs are passed over in a folder, and refused where they were named', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-foreign-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(path.join(cwd, 'Cargo.toml'), '[package]\nname = "x"\n[dependencies]\nserde = "1"\n');
  writeFileSync(path.join(cwd, 'pyproject.toml'), '[project]\nname = "x"\n[tool.ruff]\nline-length = 88\n');
  writeFileSync(path.join(cwd, 'typo.toml'), 'name = "x"\n[worklfow]\npath = "w.toml"\n');
  writeFileSync(path.join(cwd, 'empty.toml'), '');
  const found = await loadSuite({ cwd });
  expect(found.files).toEqual(['empty.toml', 'typo.toml']);
  const asked = await loadSuite({ cwd, paths: ['Cargo.toml'] });
  expect(asked.issues.map(({ code }) => code)).toContain('unknown_key');
});

test('what the allowlist of an MCP server refuses needs nothing that answers', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-refused-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const codes = async (node: string, lists = 'allow_tools = ["find*"]'): Promise<readonly string[]> => {
    const servers = `mcp_servers = [{ name = "shop", command = ["x"], ${lists} }]\n`;
    const start = 'start_nodes = [{ name = "main", source = "manual" }]\n';
    const inline = `name = "w"\n${start}nodes = [{ id = "n", ${node} }]\n${servers}`;
    const text = `name = "s"\nworkflow.inline = '''\n${inline}'''\nexpected.stopped_by = "denial"\n`;
    writeFileSync(path.join(cwd, 's.toml'), text);
    return (await loadSuite({ cwd })).issues.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  };
  const read = 'type = "read_mcp_resource", resource_from = "trigger.uri"';
  expect(await codes('type = "call_mcp_tool", tool = "drop"')).toEqual([]);
  expect(await codes('type = "call_mcp_tool", tool = "find_all"')).toEqual(['no_mock']);
  expect(await codes(read)).toEqual([]);
  expect(await codes(read, 'allow_resources = ["note:*"]')).toEqual(['no_mock']);
});

test('a workflow that is named alone is told as one, and beside a scenario passed over', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-alone-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const workflow =
    'name = "w"\nstart_nodes = [{ name = "main", source = "manual" }]\nnodes = [{ id = "n", type = "terminate" }]\n';
  writeFileSync(path.join(cwd, 'flow.toml'), workflow);
  writeFileSync(path.join(cwd, 's.toml'), 'name = "s"\nworkflow.path = "flow.toml"\nexpected.status = "completed"\n');
  const alone = await loadSuite({ cwd, paths: ['flow.toml'] });
  expect(alone.issues).toMatchObject([
    { code: 'workflow_alone', severity: 'error', at: { file: 'flow.toml', line: 3, column: 9 } },
  ]);
  expect(await loadSuite({ cwd, paths: ['flow.toml', 's.toml'] })).toMatchObject({ files: ['s.toml'], issues: [] });
});

test('files that a contract names are passed over in its folder, and called what they are where they were named', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-parts-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const write = (name: string, text: string): void => writeFileSync(path.join(cwd, name), text);
  write('late.toml', 'name = "late"\n[[chaos.tool_faults]]\ntool = "*"\nmode = "slow"\n');
  write('incident.toml', 'id = "i1"\ninput = "Hello?"\ntool_responses = []\n');
  const contract = `
golden_prompts = ["Hello?"]
agent.command = ["./agent"]
replays.sessions = [{ file = "incident.toml" }]
[contract]
name = "desk"
invariants = [{ id = "answers", type = "completes" }]
chaos_matrix = [{ profile = "late.toml" }]
`;
  write('desk.toml', contract);
  const found = await loadSuite({ cwd });
  expect(found.files).toEqual(['desk.toml']);
  expect(found.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const asked = await loadSuite({ cwd, paths: ['late.toml', 'incident.toml'] });
  expect(asked.issues.map(({ code }) => code).sort()).toEqual(['chaos_profile', 'recorded_session']);
});

test('the problems of a workflow file that several scenarios share are said once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'shared.wf'), 'name = "w"\nedges = []\nnods = []\n');
  for (const name of ['one', 'two']) {
    const text = `name = "${name}"\nworkflow.path = "shared.wf"\nexpected.status = "completed"\n`;
    writeFileSync(path.join(folder, `${name}.toml`), text);
  }
  const { issues } = await loadSuite({ cwd: folder });
  expect(issues.filter(({ severity }) => severity === 'error').map(({ code, at }) => [code, at?.file])).toEqual([
    ['unknown_key', 'shared.wf'],
    ['invalid_workflow', 'one.toml'],
    ['invalid_workflow', 'two.toml'],
  ]);
});
