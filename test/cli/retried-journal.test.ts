import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { answer, startModelServer } from '../support/model-server.ts';
import { aFolder, runPassk } from './run-passk.ts';

const TRIALS = 6;

const GREET = `name = "greet"
trials = ${TRIALS}
[workflow]
inline = '''
name = "greet"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Say hello."
'''
[expected]
status = "completed"
`;

/** A model that refuses the first call of each trial, so that each is broken once, and passk as it asks it. */
async function aModel() {
  const cwd = aFolder();
  let asked = 0;
  let killAt = 0;
  let kill = (): void => undefined;
  const server = await startModelServer(() => {
    asked++;
    if (asked === killAt) {
      // By then what has ended is written down.
      setTimeout(kill, 1500);
      return { kind: 'silent' };
    }
    return asked % 2 === 1 ? { kind: 'status', status: 401, error: { message: 'no' } } : answer('hello');
  });
  onTestFinished(() => server.close());
  writeFileSync(path.join(cwd, 'greet.toml'), GREET);
  const model = `openai-compatible:small@${server.openaiUrl}`;
  /** `killed`: the number of the request at which passk is killed instead of answered. */
  return async (flags: readonly string[], killed = 0) => {
    asked = 0;
    killAt = killed;
    const always = ['run', '.', '--json', '--live', '--model', model, '--concurrency', '1', '--retries', '2'];
    const { signal, stdout } = await runPassk([...always, '--workers', '1', ...flags], {
      cwd,
      meanwhile: (child) => {
        kill = () => void child.kill('SIGKILL');
      },
    });
    return { signal, stdout, asked };
  };
}

/** What does not depend on when answers came. */
function countsOf(json: string): readonly unknown[] {
  const { summary, scenarios } = JSON.parse(json) as SuiteReport;
  return [summary.trials, scenarios.map((one) => ('retried' in one ? one.retried : null))];
}

test('passk killed while it asks again goes on with --resume, and counts retries as an undisturbed run does', async () => {
  const run = await aModel();
  const undisturbed = await run([]);
  const counts = countsOf(undisturbed.stdout);
  expect([undisturbed.asked, counts]).toMatchObject([
    2 * TRIALS,
    [{ passed: TRIALS, broken: 0 }, [{ trials: TRIALS, passed: TRIALS, retries: TRIALS }]],
  ]);
  expect((await run(['--journal', 'kept'], 8)).signal).toBe('SIGKILL');
  const resumed = await run(['--journal', 'kept', '--resume']);
  // The last trial that was answered may have ended too late to be written down.
  expect(resumed.asked).toBeLessThan(2 * TRIALS);
  expect(countsOf(resumed.stdout)).toEqual(counts);
});
