import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  loadSuite,
  renderReport,
  renderTrace,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-commands-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A till whose agent takes the money, or forgets to, by chance. */
const FILE = `name = "till"
trials = 3
min_pass_rate = 0
[session]
[state]
paid = []
[[tools]]
name = "pay"
steps = [{ append = ["paid"], value = 1200 }]
[[tasks]]
name = "take money"
user = { opening = "I want to pay." }
agents = [{ name = "a", turns = [{ variants = [{ calls = [{ tool = "pay" }], says = "Thank you." }, { says = "Thank you." }] }] }]
[tasks.expected]
COMMANDS`;

let count = 0;

function write(commands: string): string {
  const file = `till${count++}.toml`;
  writeFileSync(path.join(cwd, file), FILE.replace('COMMANDS', `commands = [${commands}]`));
  return file;
}

/** A command that is a shell script. */
function script(source: string, keys = ''): string {
  const name = `check${count++}.sh`;
  writeFileSync(path.join(cwd, name), source);
  return `{ command = ["sh", "${name}"], name = "${name}"${keys} }`;
}

const permissions = { run: ['sh'] };

function judged(commands: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: [write(commands)], seed: 1, workers: 1, permissions, ...options });
}

const first = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;

/** Looks at the state and at the record. */
const PAID = `read -r input
case "$input" in
  '{"state":{"paid":[1200]},"record":{"version":'*'"name":"pay"'*) echo "fine"; exit 0 ;;
  *) echo "looking"; echo "Nobody paid."; echo; exit 1 ;;
esac
`;

describe('a program that judges sessions', () => {
  test('passes or fails them by its exit code, with its last line as the reason, in workers and without', async () => {
    const file = write(`${script(PAID)}, ${script('echo "I mind." >&2; exit 3', ', fails_with = [3]')}`);
    const options = { cwd, paths: [file], seed: 1, permissions };
    const report = await runSuite({ ...options, workers: 1 });
    const { trials, checks, failures } = first(report);
    expect(trials).toMatchObject({ executed: 3, failed: 3, broken: 0 });
    // Those that fail most stand first.
    const [other, paid] = checks;
    expect(paid?.failed).toBeGreaterThan(0);
    expect(paid?.failed).toBeLessThan(3);
    expect(other?.failed).toBe(3);
    const messages = failures.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toContainEqual(expect.stringMatching(/^check\d+\.sh: Nobody paid\.$/));
    expect(messages).toContainEqual(expect.stringMatching(/^check\d+\.sh: I mind\.$/));
    expect(failures[0]?.record?.session?.commands?.map(({ problem }) => problem)).toEqual([null, 'I mind.']);
    const bytes = (one: SuiteReport): string => renderReport(one, { reporter: 'json', timing: false });
    expect(bytes(await runSuite({ ...options, workers: 0, concurrency: 3 }))).toBe(bytes(report));
    const trace = await traceTrial({ cwd, file, seed: 1, part: 'till: take money', trial: 0, permissions });
    expect(renderTrace(trace)).toContain('I mind.');
  });

  test.each<[string, string, string, string]>([
    ['ends with a code that is no verdict', 'echo oops >&2; exit 2', ', fails_with = [1]', 'exit code 2: oops'],
    ['is killed', 'kill -9 $$', '', 'it was ended by signal 9'],
    ['takes too long', 'sleep 60', ', timeout_ms = 50', 'it did not end within 50 ms'],
    [
      'prints without end',
      'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done',
      '',
      'more than 1048576 bytes',
    ],
  ])('breaks the trial where it %s, and fails none', async (_, source, keys, why) => {
    const report = await judged(script(source, keys), { trials: 1 });
    expect(first(report).trials).toMatchObject({ failed: 0, broken: 1 });
    expect(first(report).brokenCauses?.[0]?.cause).toContain(why);
  });

  test('is refused before anything runs where it is not granted or not there, and where a name is taken', async () => {
    const wanted = `{ command = ["sh", "x"] }, { command = ["./none"] }`;
    await expect(judged(wanted, { permissions: {} })).rejects.toThrow('--allow-run=sh');
    await expect(judged(wanted, { permissions: { run: true } })).rejects.toThrow('none: No such file');
    const { issues } = await loadSuite({
      cwd,
      paths: [write('{ command = ["a", "b"] }, { command = ["c"], name = "a b" }, { command = [] }')],
    });
    expect(issues.map(({ code }) => code)).toEqual(['duplicate_name', 'missing_key']);
  });
});
