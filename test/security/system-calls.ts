import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** What a process and all that it started asked of the operating system, as strace saw it from outside. */
export interface Seen {
  readonly status: number | null;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly said: string;
  /** Paths that were opened to be read. */
  readonly opened: ReadonlySet<string>;
  /** Paths that were opened to be written, made, removed, renamed or changed. */
  readonly changed: ReadonlySet<string>;
  /** Programs that were started, the first one left out. */
  readonly started: readonly string[];
  /** Calls that name an address of the network. */
  readonly network: readonly string[];
}

/** True where strace is installed and may trace. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}

/** Runs Node.js under strace; the log is written to a file of the given folder, which is no part of what was seen. */
export async function trace(
  args: readonly string[],
  { cwd, scratch, env = {} }: { readonly cwd: string; readonly scratch: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Seen> {
  const log = path.join(scratch, 'strace.log');
  const strace = ['-f', '-qq', '--seccomp-bpf', '-s', '4096', '-e', 'trace=%file,%network,%process', '-o', log];
  const child = spawn('strace', [...strace, process.execPath, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code));
  });
  return { status, stdout: texts.stdout, said: texts.stdout + texts.stderr, ...readLog(readFileSync(log, 'utf8')) };
}

const NETWORK = /^(?:socket|connect|bind|listen|sendto|sendmsg|sendmmsg)$/;
const CHANGES =
  /^(?:creat|mkdir|rmdir|unlink|rename|link|symlink|chmod|chown|lchown|fchmodat|fchownat|truncate|mknod|utime|setxattr|removexattr|mount|pivot_root|chroot)/;

function readLog(log: string): Omit<Seen, 'status' | 'stdout' | 'said'> {
  const opened = new Set<string>();
  const changed = new Set<string>();
  const started: string[] = [];
  const network: string[] = [];
  for (const line of log.split('\n')) {
    // What is resumed was named when it was begun.
    const [, pid = '', name = '', args = ''] = /^(\d+) +([a-z0-9_]+)\((.*)$/.exec(line) ?? [];
    // The digits may also stand by chance in the name of a draft.
    const ownPid = new RegExp(`(?<![\\w-])${pid}(?![\\w-])`, 'g');
    const first = /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1]?.replaceAll(ownPid, 'PID') ?? '';
    if (/^open(?:at2?)?$/.test(name)) (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args) ? changed : opened).add(first);
    else if (CHANGES.test(name)) changed.add(first);
    else if (/^execve/.test(name) || (/^(?:v?fork|clone3?)$/.test(name) && !args.includes('CLONE_THREAD'))) {
      started.push(`${name} ${first}`);
    }
    if (NETWORK.test(name) && /AF_INET|htons/.test(args)) network.push(`${name}(${args.slice(0, 200)}`);
  }
  return { opened, changed, started: started.slice(1), network };
}
