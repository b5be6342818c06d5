import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addPermissionFlags, permissionOptions, withWholeGrants } from '../../src/cli/permission-flags.ts';

function granted(...args: string[]): unknown {
  const command = addPermissionFlags(new Command()).exitOverride();
  return permissionOptions(command.parse(withWholeGrants(args), { from: 'user' }).opts()).permissions;
}

test('everything swallows what else a list names, but not hosts, which may be at addresses it leaves out', () => {
  expect(granted('--allow-env=*,HOME', '--allow-net=*')).toEqual({ env: true, net: true });
  expect(granted('--allow-net', '--allow-net=*')).toEqual({ net: true });
  expect(granted('--allow-net', '--allow-net=127.0.0.1')).toEqual({ net: ['*', '127.0.0.1'] });
  expect(granted('--allow-net=127.0.0.1,*')).toEqual({ net: ['127.0.0.1', '*'] });
  expect(granted('--allow-net=a.example', '--allow-net=b.example')).toEqual({ net: ['a.example', 'b.example'] });
});
