import type { Command } from 'commander';

/** Whether the paths are those of the command line, and not of the settings. */
export function hasTypedPaths(command: Command): boolean {
  return command.getOptionValueSource('paths') === 'cli';
}
