import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LoadSuiteOptions, RunSuiteOptions } from '../index.ts';
import { parseRate, parseWhole } from './parse-number.ts';

/** Flags that choose scenarios and the plug-ins they may name. */
export interface SelectFlags {
  readonly name?: readonly string[];
  readonly tag?: readonly string[];
  readonly plugin?: readonly string[];
  readonly maxFileSize?: number;
  readonly color: boolean;
}

/** Flags that decide what happens in a trial: a trace takes the same ones as the run. */
export interface TrialFlags {
  readonly timeout?: number;
  readonly seed?: number;
  readonly sampler?: NonNullable<RunSuiteOptions['sampler']>;
  readonly isolation?: NonNullable<RunSuiteOptions['isolation']>;
}

/** Adds `--name`, `--tag` and `--plugin`. */
export function addSelectFlags(command: Command): Command {
  return command
    .addOption(repeatableOption('-n, --name <pattern>', 'only scenarios whose name contains this, or matches /this/'))
    .addOption(repeatableOption('--tag <tag>', 'only scenarios with this tag or capability'))
    .addOption(pluginOption())
    .addOption(
      new Option('--max-file-size <bytes>', 'refuse larger scenario and workflow files (default: 1 MiB)').argParser(
        (text) => parseWhole(text, 1),
      ),
    );
}

/** Adds `--seed`, `--sampler`, `--timeout` and `--isolation`. */
export function addTrialFlags(command: Command): Command {
  return command
    .addOption(wholeOption('--seed <n>', 'the seed of every random choice', 0))
    .addOption(new Option('--sampler <name>', 'how variants are chosen').choices(['seeded', 'reference', 'exhaustive']))
    .addOption(wholeOption('--timeout <ms>', "time limit of every trial, instead of the scenario's own", 1))
    .addOption(isolationOption());
}

/** The flag `--isolation`. */
export function isolationOption(): Option {
  return new Option(
    '--isolation <kind>',
    'what a worker is, where a scenario does not say; processes also survive native crashes (default: thread)',
  ).choices(['thread', 'process']);
}

/** The flag `--queue-timeout`. */
export function queueTimeoutOption(): Option {
  return wholeOption('--queue-timeout <seconds>', 'how long Redis may be away before this ends (default: 60)', 1);
}

/** A flag that takes a whole number of at least `least`. */
export function wholeOption(flags: string, description: string, least: number): Option {
  return new Option(flags, description).argParser((text) => parseWhole(text, least));
}

/** A flag that may be given several times. */
export function repeatableOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(collect);
}

/** The flag `--gate`. */
export function gateOption(): Option {
  return repeatableOption('--gate <expression>', "a condition that the run must meet, such as 'pass^8 >= 0.9'");
}

/** The flag `--min-score`. */
export function minScoreOption(): Option {
  return new Option('--min-score <score>', 'the overall score from 0 to 1 that contracts must reach').argParser(
    parseRate,
  );
}

/** The flag `--plugin`, for commands that need no other. */
export function pluginOption(): Option {
  return repeatableOption('--plugin <module>', 'a module with plug-ins that scenarios may name');
}

/** The library options that the flags and paths stand for. */
export function selectOptions(paths: readonly string[], flags: SelectFlags): LoadSuiteOptions {
  return {
    ...(paths.length > 0 && { paths }),
    ...(flags.name !== undefined && { names: flags.name }),
    ...(flags.tag !== undefined && { tags: flags.tag }),
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
    ...(flags.maxFileSize !== undefined && { maxFileSize: flags.maxFileSize }),
  };
}

/** The library options that these flags stand for. */
export function trialOptions(flags: TrialFlags): Pick<RunSuiteOptions, 'seed' | 'sampler' | 'timeoutMs' | 'isolation'> {
  return {
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(flags.sampler !== undefined && { sampler: flags.sampler }),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.isolation !== undefined && { isolation: flags.isolation }),
  };
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  if (value === '') throw new InvalidArgumentError('Expected a value, not the empty text.');
  return [...before, value];
}
