import type { Command } from 'commander';
import { nameOf } from './name-of.ts';
import { SettingOption } from './setting-option.ts';

/**
 * Throws `USAGE` for a flag that somebody typed and that does nothing, since what it speaks of is not there. Settings of
 * files and variables are for many commands, and may wait for it.
 */
export async function refuseIdleFlags(command: Command): Promise<void> {
  // `config` does nothing with any flag, and a part of a run has its own word for those of the whole.
  if (nameOf(command) === 'config' || command.getOptionValue('shard') !== undefined) return;
  for (const option of command.options) {
    if (!(option instanceof SettingOption) || option.row.flag.needs === undefined) continue;
    if (command.getOptionValueSource(option.attributeName()) !== 'cli') continue;
    const needed = command.options.find((one) => {
      return one instanceof SettingOption && one.setting === option.row.flag.needs && !one.negate;
    });
    if (needed === undefined || isThere(command.getOptionValue(needed.attributeName()))) continue;
    const { PasskError } = await import('../public/suites.ts');
    throw new PasskError('USAGE', `${option.long} does nothing without ${needed.long}.`, {
      hint: `Add ${needed.flags}, or leave ${option.long} out.`,
    });
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== false;
}
