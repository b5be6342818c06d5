import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Attack } from './attack.ts';
import type { Range } from './range.ts';
import { aProgram, aSubject } from './subjects.ts';

/** What policy does not keep from happening: each of these does, and docs/security.md says so. */
export function documentedLimits(range: Range): readonly Attack[] {
  const { ok, outside, markers } = range;
  // The expectation of an attack that is denied: it does not hold.
  const parts = { family: 'limits', defence: 'denied', ends: 'errored' } as const;
  const find = aProgram(range, '/usr/bin/find', ['/etc/hostname', '-exec', 'touch', `${markers}/mk9000`, ';']);
  mkdirSync(`${outside}/mk9001`);
  writeFileSync(`${outside}/mk9001/secret`, 'secret of mk9001');
  linkSync(`${outside}/mk9001/secret`, `${ok}/hard-mk9001`);
  const hard = aSubject(range, { do: 'read', path: `${ok}/hard-mk9001` }, 'model', 'mk9001');
  return [
    {
      ...parts,
      mark: 'mk9000',
      name: 'an option of an allowed program that runs another one',
      subject: find,
      control: find,
      policy: { shell: { commands: ['/usr/bin/find'] } },
    },
    {
      ...parts,
      mark: 'mk9001',
      name: 'a secret under a hard link in the allowed folder',
      subject: hard,
      control: hard,
    },
  ];
}
