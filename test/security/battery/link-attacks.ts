import type { NodeDefinition } from '../../../src/scenario/objects/define-scenario.ts';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Draft, Subject } from './attack.ts';
import { aRead, aWrite } from './path-attacks.ts';
import type { Range } from './range.ts';
import { aSubject } from './subjects.ts';

/** Links of the disk: symbolic, swapped while the run goes on, and hard. */
export function linkAttacks(range: Range): readonly Draft[] {
  const { outside } = range;
  const links: readonly [string, (mark: string, leaf: string) => string][] = [
    ['a link to a folder', (mark, leaf) => `${aLink(range, `dir-${mark}`, `${outside}/${mark}`)}/${leaf}`],
    ['a relative link', (mark, leaf) => `${aLink(range, `rel-${mark}`, `../outside/${mark}`)}/${leaf}`],
    ['a link to the file', (mark, leaf) => aLink(range, `file-${mark}`, `${outside}/${mark}/${leaf}`)],
    [
      'a link to a link',
      (mark, leaf) => {
        aLink(range, `one-${mark}`, `${outside}/${mark}`);
        return `${aLink(range, `two-${mark}`, `one-${mark}`)}/${leaf}`;
      },
    ],
    ['the parent of a link', (mark, leaf) => `${aLink(range, `up-${mark}`, `${outside}/${mark}`)}/../${mark}/${leaf}`],
    [
      'a link back in and out',
      (mark, leaf) => {
        const out = aLink(range, `out-${mark}`, '../outside');
        return `${out}/../ok/${path.basename(out)}/${mark}/${leaf}`;
      },
    ],
    ['a link to the root', (mark, leaf) => `${aLink(range, `root-${mark}`, '/')}${outside}/${mark}/${leaf}`],
    [
      'a link through the system',
      (mark, leaf) => `${aLink(range, `proc-${mark}`, '/proc/self/root')}${outside}/${mark}/${leaf}`,
    ],
    ['a deep link', (mark, leaf) => `${aLink(range, `sub/deep/l-${mark}`, '../../..')}/outside/${mark}/${leaf}`],
  ];
  return [
    ...links.flatMap(([title, at]) => [
      aWrite(range, title, (mark) => withFolder(range, mark, at(mark, 'file'))),
      aRead(range, title, (mark) => withFolder(range, mark, at(mark, 'secret'))),
    ]),
    aWrite(range, 'a link to itself', (mark) => aLink(range, `loop-${mark}`, `loop-${mark}`), 'aim', {
      defence: 'error',
      reason: 'oo many',
    }),
    swappedByProgram(range),
    ...hardLinks(range),
  ];
}

/** Between an allowed write and the next one an allowed program puts a link in place of the folder. */
function swappedByProgram(range: Range): Draft {
  return (mark) => {
    mkdirSync(`${range.outside}/${mark}`, { recursive: true });
    mkdirSync(`${range.ok}/${mark}`);
    const swapped = (target: string): Subject => {
      const after = aSubject(range, { do: 'write', path: `${target}/file`, text: `PWNED ${mark}` }, 'model', mark);
      if (!('inline' in after.workflow) || typeof after.workflow.inline === 'string') return after;
      const { inline } = after.workflow;
      const [extract, act] = inline.nodes ?? [];
      if (extract === undefined || act === undefined) return after;
      const first = { ...act, id: 'first' };
      const swap: NodeDefinition = { id: 'swap', type: 'shell_run', command: '/usr/bin/ln', argsFrom: 'trigger.args' };
      const nodes = [extract, first, swap, act];
      const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]?.id ?? '', to: node.id }));
      const args = ['-sfn', `${range.outside}/${mark}`, target];
      return {
        ...after,
        workflow: { inline: { ...inline, nodes, edges } },
        trigger: { payload: { args, mail: 'Two notes, please.' } },
      };
    };
    const link = `${range.ok}/${mark}/link`;
    symlinkSync(range.ok, link);
    const subject = swapped(link);
    const policy = { fs: { write: [`${range.ok}/**`] }, shell: { commands: ['/usr/bin/ln'] } };
    return {
      name: 'write through a link swapped between two writes',
      subject,
      control: subject,
      defence: 'denied',
      ends: 'errored',
      policy,
    };
  };
}

// A file with several names is replaced under one of them: the others keep what they had.
function hardLinks(range: Range): readonly Draft[] {
  const parts = { defence: 'inert', ends: 'completed' } as const;
  const hard =
    (name: string) =>
    (mark: string): string => {
      mkdirSync(`${range.outside}/${mark}`, { recursive: true });
      writeFileSync(`${range.outside}/${mark}/other`, 'untouched');
      linkSync(`${range.outside}/${mark}/other`, `${range.ok}/${name}-${mark}`);
      return `${range.ok}/${name}-${mark}`;
    };
  return [
    aWrite(range, 'to a hard link', hard('hard'), 'aim', parts),
    aWrite(
      range,
      'to a hard link, the long way',
      (mark) => `${range.ok}/sub/../${path.basename(hard('long')(mark))}`,
      'aim',
      parts,
    ),
  ];
}

/** Folders that another process swaps for links to the outside, and back, all the time. */
export function swappedLinks(range: Range): readonly Draft[] {
  return [0, 1, 2].map((place) => (mark) => {
    mkdirSync(`${range.outside}/${mark}`, { recursive: true });
    writeFileSync(`${range.outside}/${mark}/secret`, `secret of ${mark}`);
    const at = SWAPPED[place] ?? '';
    mkdirSync(`${range.ok}/swap`, { recursive: true });
    mkdirSync(`${range.ok}/${at}`, { recursive: true });
    writeFileSync(`${range.ok}/${at}/secret`, 'nothing to hide');
    const still = aLink(range, `still-${mark}`, `${range.outside}/${mark}`);
    const act = (folder: string) =>
      place === 1
        ? ({ do: 'read', path: `${folder}/secret` } as const)
        : ({ do: 'write', path: `${folder}/${place === 0 ? 'file' : 'made/file'}`, text: `PWNED ${mark}` } as const);
    return {
      name: `${place === 1 ? 'read' : 'write'} through a folder that is swapped for a link all the time, ${place}`,
      subject: { ...aSubject(range, act(`${range.ok}/${at}`), 'model', mark), trials: 40 },
      control: aSubject(range, act(still), 'model', mark),
      defence: 'race',
      ends: 'either',
    };
  });
}

/** Below the allowed folder: what is swapped. */
export const SWAPPED = ['swap/a', 'swap/b', 'swap/c'];

function aLink(range: Range, name: string, target: string): string {
  const at = path.join(range.ok, name);
  symlinkSync(target, at);
  return at;
}

function withFolder(range: Range, mark: string, target: string): string {
  mkdirSync(`${range.outside}/${mark}`, { recursive: true });
  return target;
}

/** Names that the system gives to files, devices and processes. */
export function systemPaths(range: Range): readonly Draft[] {
  const { ok, outside } = range;
  const reads: readonly [string, (mark: string) => string, 'aim'?][] = [
    ['the root of this process', (mark) => `/proc/self/root${outside}/${mark}/secret`],
    ['the root of this thread', (mark) => `/proc/thread-self/root${outside}/${mark}/secret`],
    ['the root of the first process', (mark) => `/proc/1/root${outside}/${mark}/secret`, 'aim'],
    ['the folder of this process', (mark) => `/proc/self/cwd/../../../../../../..${outside}/${mark}/secret`, 'aim'],
    ['the environment of this process', () => '/proc/self/environ', 'aim'],
    ['the memory of this process', () => '/proc/self/mem', 'aim'],
    ['the command line of this process', () => '/proc/self/cmdline', 'aim'],
    ['a descriptor of this process', () => '/proc/self/fd/0', 'aim'],
    ['standard input', () => '/dev/stdin', 'aim'],
    ['descriptors', () => '/dev/fd/0', 'aim'],
    ['the disk', () => '/dev/sda', 'aim'],
    ['memory', () => '/dev/mem', 'aim'],
    ['random numbers without end', () => '/dev/urandom', 'aim'],
    ['zeros without end', () => '/dev/zero', 'aim'],
    ['the kernel', () => '/sys/kernel/notes', 'aim'],
    ['passwords', () => '/etc/shadow', 'aim'],
    ['the system by way of the folder', () => `${ok}/../../../../../../../../etc/passwd`, 'aim'],
  ];
  const writes: readonly [string, (mark: string) => string, 'aim'?][] = [
    ['shared memory', (mark) => `/dev/shm/${mark}`],
    ['shared memory by way of the folder', (mark) => `${ok}/${'../'.repeat(20)}dev/shm/${mark}`],
    ['the root of this process', (mark) => `/proc/self/root${outside}/${mark}/file`],
    ['standard output', () => '/dev/stdout', 'aim'],
    ['the terminal', () => '/dev/tty', 'aim'],
    ['a descriptor', () => '/proc/self/fd/1', 'aim'],
    ['a core pattern', () => '/proc/sys/kernel/core_pattern', 'aim'],
    ['a system request', () => '/proc/sysrq-trigger', 'aim'],
    ['a start-up script', () => '/etc/profile.d/x.sh', 'aim'],
    ['scheduled work', () => '/etc/cron.d/x', 'aim'],
    ['a device of another system', () => 'CON', 'aim'],
    ['a printer of another system', () => `${outside}/../LPT1:`, 'aim'],
  ];
  return [
    ...reads.map(([title, at, aim]) => aRead(range, title, at, aim)),
    ...writes.map(([title, at, aim]) => aWrite(range, title, at, aim)),
  ];
}
