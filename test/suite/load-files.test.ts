import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSuite } from '../../src/suite/load-suite.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'passk-many-'));
  for (let number = 0; number < 300; number++) {
    const folder = path.join(root, `group-${number % 3}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${number}.toml`), contentOf(number));
  }
  symlinkSync(path.join(root, 'group-0', '0.toml'), path.join(root, 'group-0', 'link.toml'));
});

afterAll(() => rmSync(root, { recursive: true }));

/** Scenarios, and among them files with every problem that reading a file can have, and workflows with one of their own. */
function contentOf(number: number): string | Uint8Array {
  if (number % 100 === 13) return Uint8Array.of(0x6e, 0xff, 0xfe);
  if (number % 100 === 33) return `name = "broken-${number}"\nname = 1\n`;
  const long = number % 100 === 53 ? `# ${'long '.repeat(10_000)}\n` : '';
  const type = number % 100 === 73 ? 'terminator' : 'terminate';
  return `${long}name = "s-${number}"
[workflow]
inline = """
name = "w"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "end"
[[nodes]]
id = "end"
type = "${type}"
"""
[trigger]
[expected]
status = "completed"
`;
}

test('what files give does not depend on which others are loaded with them', async () => {
  const together = await loadSuite({ paths: [root], cwd: root });
  const apart = await Promise.all(
    [0, 1, 2].map((group) => loadSuite({ paths: [`group-${group}`, 'group-0/0.toml'], cwd: root })),
  );
  const told = (suites: readonly Awaited<ReturnType<typeof loadSuite>>[]) => ({
    scenarios: unique(suites.flatMap(({ scenarios }) => scenarios.map((scenario) => JSON.stringify(scenario)))),
    issues: unique(
      suites.flatMap(({ issues }) => issues.map(({ code, message, at }) => JSON.stringify([code, message, at]))),
    ),
  });
  const one = told([together]);
  expect(one).toEqual(told(apart));
  expect([one.scenarios.length, one.issues.length]).toEqual([300 - 9 + 1, 10]);
});

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** What is wrong with a file of this text: the scenarios that it gives all the same, codes with their places, and hints. */
async function problemsOf(text: string) {
  const file = path.join(root, 'alone.toml');
  writeFileSync(file, text);
  const { scenarios, issues } = await loadSuite({ paths: [file], cwd: root });
  return {
    scenarios,
    problems: issues.map(({ code, at }) => [code, at?.line, at?.column]),
    hints: issues.map(({ hint }) => hint),
  };
}

test('a file with an agent and nothing that it is tried with says where agents are tried, and nothing else', async () => {
  const { scenarios, problems, hints } = await problemsOf('name = "a"\ntrial = 3\n[agent]\ntype = "http"\n');
  expect([scenarios, problems]).toEqual([[], [['agent_alone', 3, 2]]]);
  expect(hints[0]).toContain('[session]');
});

test('a file of settings says that it is one, and nothing else', async () => {
  const { scenarios, problems, hints } = await problemsOf('trials = 3\n[allow]\nnet = ["example.org"]\n');
  expect([scenarios, problems]).toEqual([[], [['settings_alone', 2, 2]]]);
  expect(hints[0]).toContain('--config');
  // What settings and scenarios both have shows neither.
  const unclear = await problemsOf('trials = 3\n');
  expect(unclear.problems.map(([code]) => code)).toContain('missing_key');
});
