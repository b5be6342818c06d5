// Does what docs/first-hour.md says, in an empty folder for each of its sections, with the packed tarball in place of the
// published package: files are written, commands run one after the other, and what is shown must come out. Of what a CI
// would do, the commands are run.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';

const PAGE = fileURLToPath(new URL('../../docs/first-hour.md', import.meta.url));
const MOST_COMMANDS = 6;
const ENV = {
  ...process.env,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_ignore_scripts: 'true',
  npm_config_prefer_offline: 'true',
};

/** What is wrong with the walks of the page, one text each. */
export async function checkWalks(tarball) {
  const failures = [];
  const walks = readWalks(readFileSync(PAGE, 'utf8'));
  if (walks.length < 4) failures.push(`${PAGE} has ${walks.length} walks, and 4 were expected.`);
  // Two at a time: most of a walk is npm at work.
  const left = [...walks];
  const doNext = async () => {
    for (let walk = left.shift(); walk !== undefined; walk = left.shift()) {
      failures.push(...(await checkWalk(walk, tarball)));
    }
  };
  await Promise.all([doNext(), doNext()]);
  return failures;
}

async function checkWalk(walk, tarball) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-walk-'));
  const servers = [];
  try {
    const wrong = await doWalk(walk, { folder, tarball, servers });
    if (wrong !== null) return [`${walk.title}: ${wrong}`];
    process.stdout.write(`ok    ${walk.title}, as the page says it (${walk.commands.length} commands)\n`);
    return [];
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sections that have commands: files to be written, commands, and what must be shown. */
function readWalks(page) {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const blocks = [...section.matchAll(/^```(\w+(?: walk)?)\n([\s\S]*?)^```/gm)].map(([, kind, text]) => ({
        kind,
        text,
      }));
      return {
        title: section.split('\n', 1)[0],
        files: blocks.filter(({ kind }) => /^(js|toml) walk$/.test(kind)).map(({ text }) => text),
        commands: blocks.filter(({ kind }) => kind === 'sh walk').flatMap(({ text }) => text.trimEnd().split('\n')),
        shown: blocks.filter(({ kind }) => kind === 'text').flatMap(({ text }) => text.trimEnd().split('\n')),
      };
    })
    .filter(({ commands }) => commands.length > 0);
}

/** What went wrong; null: nothing. */
async function doWalk({ files, commands, shown }, { folder, tarball, servers }) {
  if (commands.length > MOST_COMMANDS)
    return `it takes ${commands.length} commands, and ${MOST_COMMANDS} at most were promised.`;
  const port = String(await freePort());
  const here = (text) => text.replaceAll('8000', port);
  for (const text of files) {
    const [, name] = /^(?:\/\/|#) (\S+)\n/.exec(text) ?? [];
    if (name === undefined) return 'a file has no name in its first line.';
    writeFileSync(path.join(folder, name), here(text));
  }
  let output = '';
  for (const line of commands) {
    const [, command, code = '0'] = /^(.*?)(?:\s+# exit code (\d).*)?$/.exec(line) ?? [];
    if (command.endsWith(' &')) {
      servers.push(
        spawn('sh', ['-c', `exec ${here(command.slice(0, -2))}`], { cwd: folder, env: ENV, stdio: 'ignore' }),
      );
      await listensAt(Number(port));
      continue;
    }
    const done = await run(here(command.replace(/(?<=^npm install .*)\bpassk\b/, tarball)), folder);
    if (done.status !== Number(code)) return `${command}: exit ${done.status}, expected ${code}\n${done.text}`;
    output += done.text;
  }
  const flat = output.replaceAll(/\s+/g, ' ');
  const missing = shown.filter((line) => !flat.includes(line.trim().replaceAll(/\s+/g, ' ')));
  if (missing.length > 0) return `this was not shown:\n${missing.join('\n')}\nin:\n${output}`;
  return pipelineFailure(folder);
}

/** The commands of a workflow that was written, as a CI would run them. */
async function pipelineFailure(folder) {
  const file = path.join(folder, '.github', 'workflows', 'passk.yml');
  if (!existsSync(file)) return null;
  const { jobs } = parseYaml(readFileSync(file, 'utf8'));
  mkdirSync(path.join(folder, 'ci'), { recursive: true });
  for (const { run: command } of jobs.passk.steps) {
    if (command === undefined) continue;
    const done = await run(command, folder, {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: path.join(folder, 'ci', 'summary.md'),
    });
    if (done.status !== 0) return `in CI, ${command}: exit ${done.status}\n${done.text}`;
  }
  const lacking = ['passk.html', 'passk.xml', 'ci/summary.md'].filter((made) => !existsSync(path.join(folder, made)));
  return lacking.length === 0 ? null : `in CI, this was not made: ${lacking.join(', ')}`;
}

function run(command, cwd, env = {}) {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env: { ...ENV, ...env }, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.signal), text: `${stdout}${stderr}` }),
    );
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves as soon as somebody listens there. */
async function listensAt(port) {
  for (;;) {
    const isThere = await new Promise((resolve) => {
      const socket = connect(port, 'localhost', () => resolve(true)).on('error', () => resolve(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 1000).unref();
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
