import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Attack, Draft, Subject } from './attack.ts';
import type { Range } from './range.ts';
import { aLoop, aProgram } from './subjects.ts';

/** Programs that policy does not allow, under names that look as if it did. */
export function programAttacks(range: Range): readonly Draft[] {
  const { ok, markers } = range;
  const touch = (mark: string): readonly string[] => [`${markers}/${mark}`];
  const aRun =
    (
      name: string,
      command: string | ((mark: string) => string),
      args: (mark: string) => readonly string[] = touch,
      aim?: 'aim',
      parts: Partial<Pick<Attack, 'defence' | 'reason'>> = {},
    ): Draft =>
    (mark) => {
      const run = (given: string, list: readonly string[]) => aLoop(range, { do: 'run', command: given, args: list });
      const subject = run(typeof command === 'string' ? command : command(mark), args(mark));
      const control = aim === undefined ? subject : run('/usr/bin/touch', touch(mark));
      return { name: `run ${name}`, subject, control, defence: 'denied', ends: 'completed', ...parts };
    };
  const shell = (mark: string): readonly string[] => ['-c', `touch ${markers}/${mark}`];
  const javaScript = (mark: string): readonly string[] => [
    '-e',
    `require('fs').writeFileSync('${markers}/${mark}', '')`,
  ];
  const planted =
    (name: string) =>
    (mark: string): string => {
      const at = `${ok}/${mark}-${name}`;
      writeFileSync(at, `#!/bin/sh\ntouch ${markers}/${mark}\n`);
      chmodSync(at, 0o755);
      return at;
    };
  const denied: readonly [string, string, ((mark: string) => readonly string[])?, 'aim'?][] = [
    ['another program', '/usr/bin/touch'],
    ['another program in another folder', '/bin/touch'],
    ['a program by way of an allowed one', '/usr/bin/printf/../touch'],
    ['a program by dots', '/usr/bin/./touch'],
    ['a program by slashes', '//usr//bin//touch'],
    ['a program from far', '/usr/bin/../../../../usr/bin/touch'],
    ['a program through the system', '/proc/self/root/usr/bin/touch'],
    ['this very program', '/proc/self/exe', javaScript],
    ['a shell', '/bin/sh', shell],
    ['another shell', '/usr/bin/bash', shell],
    ['an interpreter', process.execPath, javaScript],
    ['a program that runs programs', '/usr/bin/env', (mark) => ['touch', ...touch(mark)]],
    [
      'a program that finds and runs',
      '/usr/bin/find',
      (mark) => ['/etc/hostname', '-exec', 'touch', ...touch(mark), ';'],
    ],
    ['a program that waits and runs', '/usr/bin/timeout', (mark) => ['9', 'touch', ...touch(mark)]],
    ['a program that is nice and runs', '/usr/bin/nice', (mark) => ['touch', ...touch(mark)]],
    ['a copy machine', '/usr/bin/cp', (mark) => ['/etc/hostname', ...touch(mark)]],
    ['a pipe to a file', '/usr/bin/tee', touch],
    ['a name that begins alike', '/usr/bin/printfx', touch, 'aim'],
    ['another case', '/usr/bin/PRINTF', touch, 'aim'],
    ['a Cyrillic letter', '/usr/bin/\u0440rintf', touch, 'aim'],
    ['a fullwidth letter', '/usr/bin/\uff50rintf', touch, 'aim'],
    ['a zero width space', '/usr/bin/print\u200bf', touch, 'aim'],
    ['a trailing space', '/usr/bin/printf ', touch, 'aim'],
    ['a command line', '/usr/bin/printf; touch x', touch, 'aim'],
    ['a command with its argument', '/usr/bin/touch x', touch, 'aim'],
    ['a NUL', '/usr/bin/printf\0/../touch', touch, 'aim'],
    ['a line break', '/usr/bin/printf\ntouch', touch, 'aim'],
    ['the folder', '/usr/bin', touch, 'aim'],
    ['a star', '/usr/bin/*', touch, 'aim'],
  ];
  const bare = ['printf', 'touch', './touch', '../../../../usr/bin/touch', 'usr/bin/touch', '', '~/touch', '$SHELL'];
  return [
    ...denied.map(([name, command, args, aim]) => aRun(name, command, args, aim)),
    aRun('a script of the allowed folder', planted('script')),
    aRun('a script named as the allowed program', planted('printf')),
    aRun('a script by way of the allowed program', (mark) => `/usr/bin/printf/../../..${planted('way')(mark)}`),
    aRun('a link named as the allowed program', (mark) => {
      symlinkSync('/usr/bin/touch', `${ok}/${mark}-printf`);
      return `${ok}/${mark}-printf`;
    }),
    aRun(
      'a link to a shell',
      (mark) => {
        symlinkSync('/bin/sh', `${ok}/${mark}-sh`);
        return `${ok}/${mark}-sh`;
      },
      shell,
    ),
    aRun('a link through a folder', (mark) => {
      symlinkSync('/usr/bin', `${ok}/${mark}-bin`);
      return `${ok}/${mark}-bin/touch`;
    }),
    ...bare.map((command) =>
      aRun(`a bare name ${JSON.stringify(command)}`, command, touch, 'aim', {
        defence: 'error',
        reason: 'shell_run requires an absolute path',
      }),
    ),
  ];
}

/** Arguments of an allowed program that a shell would take for more than that. The control gives them to a shell. */
export function argumentAttacks(range: Range): readonly Draft[] {
  const { markers } = range;
  const touch = (mark: string): string => `touch ${markers}/${mark}`;
  const tricks: readonly [string, (mark: string) => string][] = [
    ['a semicolon', (mark) => `x; ${touch(mark)}`],
    ['and', (mark) => `x && ${touch(mark)}`],
    ['or', (mark) => `x > /dev/full || ${touch(mark)}`],
    ['a pipe', (mark) => `x | ${touch(mark)}`],
    ['an ampersand', (mark) => `x & ${touch(mark)}; wait`],
    ['a line break', (mark) => `x\n${touch(mark)}`],
    ['a carriage return and a line break', (mark) => `x\r\n${touch(mark)}`],
    ['a substitution', (mark) => `$(${touch(mark)})`],
    ['backquotes', (mark) => `\`${touch(mark)}\``],
    ['a substitution in quotes', (mark) => `"$(${touch(mark)})"`],
    ['a redirection', (mark) => `x > ${markers}/${mark}`],
    ['an appending redirection', (mark) => `x >> ${markers}/${mark}`],
    ['a redirection of errors', (mark) => `x 2> ${markers}/${mark}`],
    ['a closing quote', (mark) => `x''; ${touch(mark)} #'`],
    ['a subshell', (mark) => `x; (${touch(mark)})`],
    ['braces', (mark) => `x; { ${touch(mark)}; }`],
    ['a variable', (mark) => `x; T=touch; $T ${markers}/${mark}`],
    ['a field separator', (mark) => `x; IFS=,; C=touch,${markers}/${mark}; $C`],
    ['eval', (mark) => `x; eval "${touch(mark)}"`],
    ['a here document', (mark) => `x; sh <<E\n${touch(mark)}\nE`],
    ['a trap', (mark) => `x; trap "${touch(mark)}" EXIT`],
    ['a comment', (mark) => `x # y\n${touch(mark)}`],
    ['an escape', (mark) => `x; t\\ouch ${markers}/${mark}`],
    ['a background list', (mark) => `x; sh -c "${touch(mark)}"`],
    ['arithmetic', (mark) => `x; : $((1)) && ${touch(mark)}`],
    ['a default value', (mark) => `\${NONE:-$(${touch(mark)})}`],
  ];
  const draft =
    (
      name: string,
      subject: (mark: string) => Subject,
      text: (mark: string) => string,
      parts: Partial<Pick<Attack, 'defence' | 'ends' | 'reason'>> = {},
    ): Draft =>
    (mark) => ({
      name: `give an argument with ${name}`,
      subject: subject(mark),
      control: aProgram(range, '/bin/sh', ['-c', `/usr/bin/printf ${text(mark)}`]),
      defence: 'inert',
      ends: 'completed',
      ...parts,
    });
  const wrong: readonly [string, (mark: string) => unknown][] = [
    ['no list around it', (mark) => `x; ${touch(mark)}`],
    ['a list in the list', (mark) => [['-c', touch(mark)]]],
    ['a table', (mark) => ({ 0: touch(mark) })],
    ['a number', (mark) => ['x', Number(mark.slice(2))]],
  ];
  const unsendable: readonly [string, string, string][] = [
    ['a NUL', '\0', 'NUL'],
    ['half a character', '\ud800', 'model returned invalid JSON'],
  ];
  const printf = (args: unknown): Subject => aProgram(range, '/usr/bin/printf', args as never);
  const plain = (mark: string): string => `x; ${touch(mark)}`;
  return [
    ...tricks.map(([name, text]) => draft(name, (mark) => printf(['%s', text(mark)]), text)),
    ...tricks.slice(0, 6).map(([name, text]) => draft(`${name}, as the format`, (mark) => printf([text(mark)]), text)),
    ...wrong.map(([name, args]) =>
      draft(name, (mark) => printf(args(mark)), plain, { defence: 'error', ends: 'errored', reason: 'must' }),
    ),
    ...unsendable.map(([name, character, reason]) =>
      draft(`${name} in it`, (mark) => printf(['%s', `x${character}; ${touch(mark)}`]), plain, {
        defence: 'error',
        ends: 'errored',
        reason,
      }),
    ),
  ];
}

/** Tools that a loop does not offer, and names that look like one it does. */
export function loopToolAttacks(range: Range): readonly Draft[] {
  const names = [
    'write_file',
    'Write_File',
    'WRITE_FILE',
    'write_file ',
    ' write_file',
    'write\u200b_file',
    'wr\u0456te_file',
    'write-file',
    'write_file\0',
    'writeFile',
    'read_file/../write_file',
    'read_file,write_file',
    'shell_run',
    'functions.write_file',
    '__proto__',
    'constructor',
    '*',
    '',
  ];
  return names.map((tool) => (mark) => {
    const act = { do: 'write', path: `${range.outside}/${mark}/file`, text: `PWNED ${mark}` } as const;
    return {
      name: `use a tool that the loop does not have, ${JSON.stringify(tool)}`,
      // What the tool would do is allowed: only the loop's own list stands in the way.
      subject: aLoop(range, act, { tools: ['read_file'], tool }),
      control: aLoop(range, act),
      policy: { fs: { read: ['*'], write: ['*'] }, shell: { commands: ['*'] } },
      defence: 'error',
      ends: 'completed',
      reason: 'is not in this loop',
    };
  });
}

/** Variables that policy does not allow; only what the model is told shows them. */
export function envAttacks(range: Range): readonly Draft[] {
  const keys = [
    SECRET,
    `${SECRET} `,
    SECRET.toLowerCase(),
    `${ALLOWED}\0${SECRET}`,
    `${ALLOWED}=${SECRET}`,
    '*',
    `$${SECRET}`,
    '',
    '__proto__',
  ];
  return keys.map((key) => () => ({
    name: `read the variable ${JSON.stringify(key)}`,
    subject: aLoop(range, { do: 'env', key }),
    control: aLoop(range, { do: 'env', key: SECRET }),
    defence: 'denied',
    ends: 'completed',
    told: true,
  }));
}

export const SECRET = 'PASSK_BATTERY_SECRET';
export const ALLOWED = 'PASSK_BATTERY_OPEN';
