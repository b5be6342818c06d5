import { type Command, Option } from 'commander';
import type { ModelEndpoint, RunSuiteOptions } from '../index.ts';
import { parsePositive, parseWhole } from './parse-number.ts';
import { repeatableOption } from './suite-flags.ts';

/** Flags that let real models answer, and that bound what they may cost. */
export interface LiveFlags {
  readonly live?: boolean;
  readonly model?: readonly string[];
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly record?: string;
  readonly replay?: string;
  /** Models of the configuration file, by backend. */
  readonly models?: Readonly<Record<string, ModelEndpoint>>;
}

/** Adds `--live` and `--model`. */
export function addModelFlags(command: Command): Command {
  return command
    .option('--live', 'ask real models instead of the turns, which costs money')
    .addOption(repeatableOption('--model <[name=]provider:model[@url]>', 'the real model behind a backend'));
}

/** Adds `--max-cost` and `--max-tokens`. */
export function addBudgetFlags(command: Command): Command {
  return command
    .addOption(new Option('--max-cost <usd>', 'stop before the real models cost more').argParser(parsePositive))
    .addOption(
      new Option('--max-tokens <n>', 'stop before the real models use more tokens').argParser((text) =>
        parseWhole(text, 1),
      ),
    );
}

/** Adds `--record` and `--replay`. */
export function addCassetteFlags(command: Command): Command {
  return command
    .option('--record <file>', 'keep what models and granted effects answer, to repeat the run without them')
    .option('--replay <file>', 'take all answers from a recorded file: no grant, key or network is used');
}

/** The library options that these flags stand for: a flag goes before the configuration file, name by name. */
export async function liveOptions(
  flags: LiveFlags,
): Promise<Pick<RunSuiteOptions, 'live' | 'models' | 'maxCost' | 'maxTokens' | 'record' | 'replay'>> {
  const { live, model = [], models = {}, maxCost, maxTokens, record, replay } = flags;
  const named = model.length === 0 ? [] : await namedModels(model);
  const all = { ...models, ...Object.fromEntries(named) };
  return {
    ...(live !== undefined && { live }),
    ...(Object.keys(all).length > 0 && { models: all }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(record !== undefined && { record }),
    ...(replay !== undefined && { replay }),
  };
}

async function namedModels(texts: readonly string[]): Promise<readonly (readonly [string, ModelEndpoint])[]> {
  const { parseModel } = await import('../index.ts');
  return texts.map((text) => parseModel(text));
}
