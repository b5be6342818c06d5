import { Command } from 'commander';
import { expect, test } from 'vitest';
import { unboundValue, withBareValues } from '../../src/cli/bare-flags.ts';
import { addSettings, settingsOf } from '../../src/cli/setting-option.ts';
import { permissionOptions } from '../../src/cli/setting-options.ts';

function granted(...args: string[]): unknown {
  const command = new Command().exitOverride();
  addSettings(command, 'run');
  command.parse(withBareValues(args), { from: 'user' });
  return permissionOptions(settingsOf(command)).permissions;
}

test('everything swallows what else a list names, but not hosts, which may be at addresses it leaves out', () => {
  expect(granted('--allow-env=*,HOME', '--allow-net=*')).toEqual({ env: true, net: true });
  expect(granted('--allow-net', '--allow-net=*')).toEqual({ net: true });
  expect(granted('--allow-net', '--allow-net=127.0.0.1')).toEqual({ net: ['*', '127.0.0.1'] });
  expect(granted('--allow-net=127.0.0.1,*')).toEqual({ net: ['127.0.0.1', '*'] });
  expect(granted('--allow-net=a.example', '--allow-net=b.example')).toEqual({ net: ['a.example', 'b.example'] });
});

test('a word after a bare flag that is no path is told to follow =', () => {
  const isThere = (word: string): boolean => word === 'scenarios';
  expect(unboundValue(['run', '--allow-net', '127.0.0.1:8080', 'scenarios'], isThere)).toBe(
    '"127.0.0.1:8080" does not exist. If it is what --allow-net is to grant, write --allow-net=127.0.0.1:8080; without "=", --allow-net grants everything.',
  );
  expect(unboundValue(['--bail', '3', 'scenarios'], isThere)).toBe(
    '"3" does not exist. If it is the value of --bail, write --bail=3.',
  );
  const fine = [
    ['--bail', 'gone'],
    ['--allow-net', 'scenarios'],
    ['--allow-env', '--json'],
    ['--allow-read'],
    ['--allow-run', '**/*.toml'],
    ['--', '--allow-net', 'x'],
    ['--allow-net', 'gone.toml'],
  ];
  expect(fine.map((args) => unboundValue(args, isThere))).toEqual(fine.map(() => null));
});
