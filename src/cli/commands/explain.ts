import type { Command } from 'commander';
import { wholeNumber } from '../../settings/kinds.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { type CommandContext, printDocument } from '../print-document.ts';

/** Its own flags. */
interface ExplainFlags {
  readonly part?: string;
  readonly depth?: number;
  readonly width?: number;
  readonly leaves?: number;
}

const EXAMPLES = `
Examples:
  passk explain refund.toml
  passk explain refund.toml --depth 3 --width 4
  passk trace refund.toml --sampler exhaustive --trial 2    one leaf, step by step`;

/** Adds `passk explain`: shows the tree of a scenario's answers. */
export function addExplain(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('explain')
    .summary('show which answers of the model lead where')
    .description(
      'Shows the tree of answers that a trial can get, how likely each is, where it leads and how that ends.',
    )
    .argument('<file>', 'the scenario file')
    .option('--part <name>', 'which scenario of a file that holds several')
    .addOption(
      new KindOption('--depth <n>', 'answers that follow each other and are shown (default: 8)', wholeNumber(1)),
    )
    .addOption(new KindOption('--width <n>', 'answers of one choice that are shown (default: 8)', wholeNumber(1)))
    .addOption(
      new KindOption('--leaves <n>', 'sequences of answers that are looked at (default: 10000)', wholeNumber(1)),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ExplainFlags, command: Command) =>
      done(await explain(file, flags, { settings: settingsOf(command), terminal })),
    );
}

async function explain(file: string, flags: ExplainFlags, context: CommandContext): Promise<number> {
  const { explainScenario, renderAnswerTree } = await import('../../public/evidence.ts');
  const tree = await explainScenario({
    ...sameOptions(context.settings),
    file,
    ...(flags.part !== undefined && { part: flags.part }),
    ...(flags.leaves !== undefined && { maxLeaves: flags.leaves }),
  });
  const limits = {
    ...(flags.depth !== undefined && { depth: flags.depth }),
    ...(flags.width !== undefined && { width: flags.width }),
  };
  await printDocument(tree, (style) => renderAnswerTree(tree, { ...style, ...limits }), context);
  return 0;
}
