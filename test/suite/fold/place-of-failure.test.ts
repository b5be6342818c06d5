import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSuite } from '../../../src/index.ts';
import { judged } from '../../support/sampled.ts';

/** A scenario whose `[expected]` is given; the place of what fails is told as its line's text. */
async function failingLine(expected: string): Promise<string | null> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-place-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const text = `name = "place"
[workflow]
inline = '''
name = "w"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "a"
type = "template_render"
template = "hello"
[[nodes]]
id = "b"
type = "terminate"
[[edges]]
from = "a"
to = "b"
'''
${expected}
`;
  writeFileSync(path.join(cwd, 's.toml'), text);
  const report = await runSuite({ cwd, workers: 0 });
  const at = judged(report.scenarios[0]).at;
  if (at === undefined) return null;
  expect(Object.keys(at)).toEqual(['file', 'line', 'column']);
  return text.split('\n')[at.line - 1]?.slice(at.column - 1) ?? '';
}

test.each([
  ['[expected]\nstatus = "completed"\nlast_node = "a"', '"a"'],
  ['[expected]\nmin_llm_calls = 3', '3'],
  ['[expected]\npath = ["b", "a"]', '["b", "a"]'],
  ['[expected]\nforbidden_nodes = ["a"]', '"a"]'],
  ['[expected.final]\npath = "rendered"\nequals = "bye"', '[expected.final]'],
  [
    '[[expected.values]]\nnode = "a"\nexists = true\n[[expected.values]]\nnode = "a"\npath = "rendered"\nequals = "bye" # 2',
    '[[expected.values]]',
  ],
  ['[[expected.prompts]]\nnot_contains = "x"\n[[expected.prompts]]\nnode = "a"', '[[expected.prompts]]'],
  ['[expected.files]\nexist = ["/none"]', '[expected.files]'],
])('%j is pointed at where it does not hold', async (expected, line) => {
  expect(await failingLine(expected)).toContain(line.replace(/^\[+expected/, 'expected'));
});

test('of two values the one that does not hold is pointed at', async () => {
  const table = (node: string, equals: string): string =>
    `[[expected.values]]\nnode = "${node}"\npath = "rendered"\nequals = "${equals}"\n`;
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-place-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const head = `name = "place"
[workflow]
inline = '''
name = "w"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "a"
type = "template_render"
template = "hello"
'''
[expected.final]
path = "rendered"
equals = "hello"
`;
  const text = `${head}${table('a', 'hello')}${table('a', 'hello')}${table('a', 'bye')}`;
  writeFileSync(path.join(cwd, 's.toml'), text);
  const report = await runSuite({ cwd, workers: 0 });
  const lines = text.split('\n');
  const third = lines.flatMap((line, i) => (line === '[[expected.values]]' ? [i + 1] : []))[2];
  expect(judged(report.scenarios[0]).at?.line).toBe(third);
});

test('a scenario that passes has no place, nor has one made in memory', async () => {
  expect(await failingLine('[expected]\nstatus = "completed"')).toBe(null);
  const start = { name: 'main', source: 'manual' } as const;
  const report = await runSuite({
    scenarios: [
      {
        name: 'memory',
        workflow: { inline: { name: 'w', startNodes: [start], nodes: [{ id: 'a', type: 'terminate' }] } },
        expected: { status: 'failed' },
      },
    ],
    workers: 0,
  });
  expect(report.scenarios.map((scenario) => [scenario.verdict, judged(scenario).at])).toEqual([['failed', undefined]]);
});
