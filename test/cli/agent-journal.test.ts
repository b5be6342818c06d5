import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { aFolder, runPassk } from './run-passk.ts';

/** The last one ends each trial, and passk never asks it for purposes of its own. */
const PROMPTS = ['Who am I?', 'Who are you?', 'Who is it?'];
const TRIALS = 8;

function aContract(origin: string): string {
  return `golden_prompts = ${JSON.stringify(PROMPTS)}
[agent]
endpoint = "${origin}/ask"
[contract]
name = "order"
trials = ${TRIALS / 2}
[[contract.invariants]]
id = "knows"
type = "contains"
value = "you"
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 1 }]
`;
}

/** An agent, and passk as it asks it. */
async function anAgent() {
  const cwd = aFolder();
  let number = 0;
  let ended = 0;
  let killAt = 0;
  let kill = (): void => undefined;
  const server = await anHttpServer((_, response) => {
    number++;
    if (server.seen.at(-1)?.body.includes('Who is it?') === true) ended++;
    if (number === killAt) kill();
    else response.end('It is you.');
  });
  writeFileSync(path.join(cwd, 'order.toml'), aContract(server.origin));
  return {
    /** `killed`: the number of the request at which passk is killed instead of answered. `ended`: trials asked to their end. */
    async run(flags: readonly string[], { killed = 0 } = {}) {
      number = 0;
      ended = 0;
      killAt = killed;
      const { signal, stdout, stderr } = await runPassk(['run', '.', '--json', '--allow-net=127.0.0.1', ...flags], {
        cwd,
        meanwhile: (child) => {
          kill = () => void child.kill('SIGKILL');
        },
      });
      return { signal, stdout, stderr, ended };
    },
  };
}

function untimed(json: string): unknown {
  const { timing: _, ...report } = JSON.parse(json) as Record<string, unknown>;
  return report;
}

// passk begins with five questions of its own, to see whether the agent keeps state; a trial has three.
describe('passk killed with kill -9 while it asks an agent one trial after the other', () => {
  test.each([
    ['before the first trial', 3, 0],
    ['in the first trial', 7, 0],
    ['at the last question of a trial', 11, 1],
    ['at the first question of a trial', 12, 2],
    ['in the second cell', 23, 5],
    ['in the last trial', 30, 7],
  ])('goes on with --resume: %s', async (_, killed, answered) => {
    const agent = await anAgent();
    const undisturbed = await agent.run([]);
    expect(undisturbed.ended).toBe(TRIALS);
    const cut = await agent.run(['--journal', 'kept'], { killed });
    expect(cut.signal).toBe('SIGKILL');
    const resumed = await agent.run(['--journal', 'kept', '--resume']);
    expect(untimed(resumed.stdout)).toEqual(untimed(undisturbed.stdout));
    // The last trial that was answered may have ended too late to be written down.
    const again = resumed.ended - (TRIALS - answered);
    expect([0, 1]).toContain(again);
    const known = /(\d+) trials? (?:is|are) in the journal; (\d+)/.exec(resumed.stderr);
    expect([Number(known?.[1] ?? 0), Number(known?.[2] ?? TRIALS)]).toEqual([TRIALS - resumed.ended, resumed.ended]);
  });
});
