import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSuite, renderReport, runSuite } from '../../../src/index.ts';
import type { SessionSubject } from '../../../src/types/session.ts';
import { aFolder } from '../../cli/run-passk.ts';

const TASK = `[[tasks]]
name = "hello"
user = { opening = "Hello, may I ask you something today?" }
agents = [{ name = "a", turns = [{ says = "Hello." }] }]
expected = { says = ["Hello"] }
`;
const PLAYED = `[[tasks]]
name = "played"
[tasks.user]
model = "shopper"
who = "A plumber."
manner = { tone = "kind", dialect = "none" }
turns = [{ says = "Hello." }, { says = "[DONE]" }]
[tasks.expected]
says = ["Hello"]
[[tasks.agents]]
name = "a"
turns = [{ says = "Hello." }]
`;

const SIX = `[axes]
verbosity = ["brief", "standard", "chatty"]
typos = [0, 0.1, 0.5]
patience = [1, 2, 3]
tone = ["kind", "curt", "angry"]
language = ["English", "German", "Thai"]
age = [20, 50, 80]
`;

function aFile(rest: string, session = '') {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), `name = "p"\ntrials = 2\n[session]\n${session}\n${rest}`);
  return { cwd, paths: ['a.toml'] };
}

async function loaded(rest: string, session = '') {
  const { scenarios, issues } = await loadSuite(aFile(rest, session));
  return { scenarios, problems: issues.map(({ at, message }) => `${at?.line}: ${message}`) };
}

const userOf = ({ subject }: { readonly subject: object }) => (subject as SessionSubject).user;

test('six axes of three values are covered by pairs in at most twenty scenarios, and wholly by 729', async () => {
  const { scenarios, problems } = await loaded(SIX + PLAYED);
  expect(problems).toEqual([]);
  expect(scenarios.length).toBeLessThanOrEqual(20);
  const pairs = new Set(
    scenarios.flatMap(({ axes = [] }) =>
      axes.flatMap((one) => axes.map((other) => `${one.axis}=${one.value} ${other.axis}=${other.value}`)),
    ),
  );
  // 15 pairs of axes with 9 pairs of values, both ways, and each value beside itself.
  expect(pairs.size).toBe(2 * 15 * 9 + 18);
  expect((await loaded(SIX + PLAYED, 'cover = "all"')).scenarios).toHaveLength(729);
});

test('a persona speaks in place of the task; a script takes of it what scripts have', async () => {
  const { scenarios, problems } = await loaded(`[[personas]]
name = "hurried"
verbosity = "brief"
patience = 1
who = "A courier."
manner = { tone = "curt" }
[[personas]]
name = "chatty"
verbosity = "chatty"
typos = 0.25
[axes]
language = ["German"]
${TASK}${PLAYED}`);
  expect(problems).toEqual([]);
  expect(scenarios.map(({ name, tags }) => [name, tags])).toEqual([
    ['p: hello · hurried', ['persona:hurried']],
    ['p: hello · chatty', ['persona:chatty']],
    ['p: played · hurried, language German', ['persona:hurried', 'language:German']],
    ['p: played · chatty, language German', ['persona:chatty', 'language:German']],
  ]);
  const [script, , hurried, chatty] = scenarios.map(userOf);
  expect(script).toMatchObject({ verbosity: 'brief', patience: 1, typos: 0 });
  expect(hurried).toMatchObject({
    card: {
      who: 'A courier.',
      manner: [
        { name: 'tone', value: 'curt' },
        { name: 'dialect', value: 'none' },
        { name: 'verbosity', value: 'brief' },
        { name: 'patience', value: 'gives up after one message that did not help' },
        { name: 'language', value: 'German' },
      ],
    },
  });
  expect(chatty).toMatchObject({
    card: {
      who: 'A plumber.',
      manner: expect.arrayContaining([
        { name: 'typing errors', value: 'in about 25 % of the words, but never in numbers and names' },
      ]),
    },
  });
});

test('reports have pass^k of each persona and over all', async () => {
  const report = await runSuite({
    ...aFile(`[axes]\ntypos = [0, 1]\n${TASK}`),
    workers: 0,
  });
  expect(report.scenarios.map((one) => (one.verdict === 'load_error' ? null : one.axes))).toEqual([
    [{ axis: 'typos', value: '0' }],
    [{ axis: 'typos', value: '1' }],
  ]);
  const text = renderReport(report);
  expect(text).toMatch(/Personas: 2 scenarios with personas/);
  expect(text).toMatch(/typos: 1 · pass rate 1\.00 · pass\^2 1\.00/);
  expect(renderReport(report, { reporter: 'html' })).toContain('Personas');
});

test('users that follow scripts and users that a model plays are in no pass^k together', async () => {
  const axes = '[[personas]]\nname = "calm"\n[[personas]]\nname = "hurried"\nverbosity = "brief"\n';
  const gates = ['suite.pass^2 >= 0.1', 'suite.strict_pass_k >= 0.1', 'suite.pass_rate >= 0.1', 'pass^2 >= 0.1'];
  const report = await runSuite({ ...aFile(axes + TASK + PLAYED), workers: 0, gates });
  expect(report.summary).toMatchObject({ passHatK: [], reasons: { passHatK: 'mixed_users' } });
  expect(report.gate.expressions.map(({ verdict }) => verdict)).toEqual([
    'insufficient',
    'insufficient',
    'pass',
    'pass',
  ]);
  expect(report.gate.reasons.join('\n')).toContain('and no pass^k is one of both');
  const text = renderReport(report, { reporter: 'text' }).replace(/ +/g, ' ');
  expect(text).toContain('pass^k none of users that follow scripts and users that a model plays');
  for (const kind of ['script', 'model']) {
    expect(text).toContain(`all: personas (${kind}) · pass rate 1.00 · pass^2 1.00`);
    expect(text).toContain(`persona: hurried (${kind}) · pass rate 1.00 · pass^2 1.00`);
  }
});

test.each<[string, string, string, readonly string[]]>([
  [
    'an axis that scripts do not have',
    '',
    `[axes]\ntone = ["kind"]\n${TASK}`,
    ['6: "tone" has no effect: no model plays a user of this file, and scripts do not have it.'],
  ],
  [
    'values out of range',
    '',
    `[axes]\ntypos = [2]\nverbosity = ["loud"]\npatience = [1.5, 1, 1]\n${TASK}`,
    ['6: 2 is no typos.', '7: loud is no verbosity.', '8: 1.5 is no patience.', '8: The axis has another value "1".'],
  ],
  [
    'a cover of nothing',
    'cover = "all"',
    TASK,
    ['4: "cover" has no effect: the file has no [[personas]] and no [axes].'],
  ],
  [
    'names twice',
    '',
    `[[personas]]\nname = "a"\n[[personas]]\nname = "a"\n${TASK}`,
    ['8: There is another persona "a".'],
  ],
  [
    'too many combinations',
    'cover = "all"',
    `[axes]\n${['typos', 'x', 'y'].map((name) => `${name} = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]`).join('\n')}\n${PLAYED}`,
    ['6: The axes have 1331 combinations; at most 1000 are tried.'],
  ],
])('is told of %s', async (_, session, rest, expected) => {
  expect((await loaded(rest, session)).problems).toEqual(expected);
});
