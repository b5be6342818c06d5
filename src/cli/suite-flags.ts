import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { LoadSuiteOptions, RunSuiteOptions } from '../index.ts';
import { parseWhole } from './parse-number.ts';

/** Flags that choose scenarios and the plug-ins they may name. */
export interface SelectFlags {
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly plugin?: readonly string[];
  readonly color: boolean;
}

/** Flags that decide which answers a trial gets. */
export interface DrawFlags {
  readonly seed?: number;
  readonly sampler?: NonNullable<RunSuiteOptions['sampler']>;
}

/** Adds `--name`, `--tag` and `--plugin`. */
export function addSelectFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-n, --name <pattern>',
        'only scenarios whose name contains this, or matches /this/; repeatable',
      ).argParser(collect),
    )
    .addOption(new Option('--tag <tag>', 'only scenarios with this tag or capability; repeatable').argParser(collect))
    .addOption(pluginOption());
}

/** Adds `--seed` and `--sampler`. */
export function addDrawFlags(command: Command): Command {
  return command
    .addOption(new Option('--seed <n>', 'the seed of every random choice').argParser((text) => parseWhole(text, 0)))
    .addOption(new Option('--sampler <name>', 'how variants are chosen').choices(['seeded', 'reference']));
}

/** The flag `--plugin`, for commands that need no other. */
export function pluginOption(): Option {
  return new Option('--plugin <module>', 'a module with plug-ins that scenarios may name; repeatable').argParser(
    collect,
  );
}

/** The library options that the flags and paths stand for. */
export function selectOptions(paths: readonly string[], flags: SelectFlags): LoadSuiteOptions {
  return {
    ...(paths.length > 0 && { paths }),
    ...(flags.name !== undefined && { names: flags.name }),
    ...(flags.tag !== undefined && { tags: flags.tag }),
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  };
}

/** The library options that `--seed` and `--sampler` stand for. */
export function drawOptions(flags: DrawFlags): Pick<RunSuiteOptions, 'seed' | 'sampler'> {
  return {
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(flags.sampler !== undefined && { sampler: flags.sampler }),
  };
}

/** Gathers a repeatable flag. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  if (value === '') throw new InvalidArgumentError('Expected a value, not the empty text.');
  return [...before, value];
}
