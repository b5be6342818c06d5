import type { Command } from 'commander';
import { pluginOption, wholeOption } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface ExplainFlags {
  readonly timeout?: number;
  readonly plugin?: readonly string[];
  readonly depth?: number;
  readonly width?: number;
  readonly leaves?: number;
  readonly json?: true;
  readonly color: boolean;
}

const EXAMPLES = `
Examples:
  passk explain refund.toml
  passk explain refund.toml --depth 3 --width 4
  passk trace refund.toml --sampler exhaustive --trial 2    one leaf, step by step`;

/** Adds `passk explain`: the tree of a scenario's answers. */
export function addExplain(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('explain')
    .summary('show which answers of the model lead where')
    .description(
      'Shows the tree of answers that a trial can get, how likely each is, where it leads and how that ends.',
    )
    .argument('<file>', 'the scenario file')
    .addOption(wholeOption('--depth <n>', 'answers that follow each other and are shown (default: 8)', 1))
    .addOption(wholeOption('--width <n>', 'answers of one choice that are shown (default: 8)', 1))
    .addOption(wholeOption('--leaves <n>', 'sequences of answers that are looked at (default: 10000)', 1))
    .addOption(wholeOption('--timeout <ms>', "time limit of every trial, instead of the scenario's own", 1))
    .addOption(pluginOption())
    .option('--json', 'print the tree as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ExplainFlags) => done(await explain(file, flags, terminal)));
}

async function explain(file: string, flags: ExplainFlags, terminal: Terminal): Promise<number> {
  const { explainScenario, renderAnswerTree } = await import('../../index.ts');
  const tree = await explainScenario({
    file,
    ...(flags.leaves !== undefined && { maxLeaves: flags.leaves }),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  });
  const { columns, unicode } = terminal;
  const style = {
    columns,
    unicode,
    color: flags.color && terminal.color,
    ...(flags.depth !== undefined && { depth: flags.depth }),
    ...(flags.width !== undefined && { width: flags.width }),
  };
  if (flags.json === true) terminal.printJson(tree);
  else terminal.print(renderAnswerTree(tree, style), style);
  return 0;
}
