import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { allGone, descendantsOf } from '../support/processes.ts';
import { aFolder, runPassk } from './run-passk.ts';

/**
 * A program that pays 12 cents through a tool that is served to it. While there is a file `hold` it stays in its third
 * session, with what serves the tools at hand, until somebody ends it.
 */
const AGENT = `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { PASSK_TOOLS_URL: url, PASSK_TOOLS_SERVER: server } = process.env;
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: { cents: 12 } } };
const viaHttp = async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) })).json();
};
const viaStdio = async () => {
  const { command, args } = JSON.parse(server);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(JSON.stringify(call) + '\\n');
  for await (const line of createInterface(child.stdout)) {
    done = () => child.stdin.end();
    return JSON.parse(line);
  }
};
let done = () => {};
const { result } = await (process.argv[2] === 'stdio' ? viaStdio() : viaHttp());
appendFileSync('sessions', 'x');
if (existsSync('hold') && readFileSync('sessions', 'utf8').length === 3) {
  writeFileSync('at-work', '');
  setInterval(() => {}, 1000);
} else {
  console.log('Thank you. ' + result.content[0].text);
  done();
}
`;

function aTill(how: string): string {
  return `name = "till"
trials = 4
min_pass_rate = 0
[session]
[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
result = { ok = true }
[[agents]]
name = "mine"
command = [${JSON.stringify(process.execPath)}, "agent.mjs", "${how}"]
tools = "mcp"
stateless = true
concurrency = 1
[[tasks]]
name = "take money"
user = { opening = "12 euros, please." }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
`;
}

interface Shown {
  readonly timing?: unknown;
  readonly partial: boolean;
  readonly summary: { readonly trials: { readonly executed: number } };
}

/** A JSON report without what may differ between equal runs. */
function untimed(json: string): Omit<Shown, 'timing'> {
  const { timing: _, ...report } = JSON.parse(json) as Shown;
  return report;
}

/** Ends a run by a signal while its agent holds tools, resumes it, and expects the report of one that was never disturbed. */
async function expectResumes(how: 'http' | 'stdio', signal: NodeJS.Signals): Promise<void> {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'agent.mjs'), AGENT);
  writeFileSync(path.join(cwd, 'till.toml'), aTill(how));
  const args = ['run', 'till.toml', `--allow-run=${process.execPath}`, '--workers', '0', '--json'];
  // Elsewhere the next run of anybody would end what this one leaves behind.
  const env = { TMPDIR: aFolder() };
  const undisturbed = await runPassk(args, { cwd, env });
  expect(untimed(undisturbed.stdout)).toMatchObject({
    partial: false,
    summary: { trials: { executed: 4, failed: 4 } },
  });

  rmSync(path.join(cwd, 'sessions'));
  writeFileSync(path.join(cwd, 'hold'), '');
  let children: readonly number[] = [];
  const stopped = await runPassk([...args, '--journal', 'kept'], {
    cwd,
    env,
    meanwhile: (child) => {
      const timer = setInterval(() => {
        if (!existsSync(path.join(cwd, 'at-work'))) return;
        clearInterval(timer);
        children = descendantsOf(child.pid);
        child.kill(signal);
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  const { partial, summary } = untimed(stopped.stdout);
  expect([stopped.status, partial, summary.trials.executed]).toEqual([130, true, 2]);
  // The agent, and over stdio what passes its calls on.
  expect(children.length).toBeGreaterThanOrEqual(how === 'stdio' ? 2 : 1);
  expect(await allGone(children)).toBe(true);

  rmSync(path.join(cwd, 'hold'));
  const resumed = await runPassk([...args, '--journal', 'kept', '--resume'], { cwd, env });
  expect(resumed.stderr).toContain('2 trials are in the journal;');
  expect(JSON.stringify(untimed(resumed.stdout))).toBe(JSON.stringify(untimed(undisturbed.stdout)));
}

// Elsewhere nobody tells what processes there are.
test.runIf(process.platform === 'linux')(
  'Ctrl-C and SIGTERM end a run whose agent holds tools that are served, with all that it started; --resume finishes it',
  async () => {
    await Promise.all([expectResumes('http', 'SIGINT'), expectResumes('stdio', 'SIGTERM')]);
  },
);
