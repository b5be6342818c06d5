import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** Machines that are none: network namespaces behind one bridge of this machine. */
export interface Machines {
  /** Where this machine is seen from them. */
  readonly address: string;
  /** What stands before a command that runs on one of them. */
  on(index: number): readonly string[];
  /** Pulls the cable of one, without a word to anybody. */
  cut(index: number): void;
  heal(index: number): void;
  remove(): void;
}

/** Makes so many machines; needs `ip` and root. Throws when it may not. */
export function someMachines(count: number): Machines {
  // Names of links have 15 letters at most, and others may run the same test at once.
  const name = `pk${process.pid.toString(36)}`;
  const net = `10.${200 + (process.pid % 50)}.${Math.floor(process.pid / 50) % 250}`;
  const all = Array.from({ length: count }, (_, index) => index);
  const remove = (): void => {
    for (const index of all) spawnSync('ip', ['netns', 'del', `${name}n${index}`]);
    spawnSync('ip', ['link', 'del', name]);
  };
  try {
    ip('link', 'add', name, 'type', 'bridge');
    ip('addr', 'add', `${net}.1/24`, 'dev', name);
    ip('link', 'set', name, 'up');
    for (const index of all) {
      const [space, here, there] = [`${name}n${index}`, `${name}h${index}`, `${name}c${index}`];
      ip('netns', 'add', space);
      ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
      ip('link', 'set', there, 'netns', space);
      ip('link', 'set', here, 'master', name, 'up');
      ip('-n', space, 'addr', 'add', `${net}.${index + 2}/24`, 'dev', there);
      ip('-n', space, 'link', 'set', there, 'up');
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    address: `${net}.1`,
    on: (index) => ['ip', 'netns', 'exec', `${name}n${index}`],
    cut: (index) => ip('link', 'set', `${name}h${index}`, 'down'),
    heal: (index) => ip('link', 'set', `${name}h${index}`, 'up'),
    remove,
  };
}

/** True: this process may make such machines. */
export function canMakeMachines(): boolean {
  try {
    const machines = someMachines(1);
    const [command = '', ...args] = [...machines.on(0), 'true'];
    const { status } = spawnSync(command, args);
    machines.remove();
    return status === 0;
  } catch {
    return false;
  }
}

function ip(...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
}
