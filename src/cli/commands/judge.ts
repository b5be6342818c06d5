import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../settings/kinds.ts';
import { type CommandContext, printDocument } from '../print-document.ts';
import { KindOption, settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

const TUNNEL_EXAMPLES = `
Faults of judges that compare, in log-odds: position, length, style, family; shares: noise, garbled. What they are
shown: skill, edge, spread, longer, styled, kin. Of judges of single answers: sensitivity, specificity, passing, labels.
A protocol is plain, or words with commas between them: swap, length, repeats=3, ensemble=3; for single answers
correct and predict.

Nobody is asked. Exit codes: 0 judged, 2 usage error.

Examples:
  passk judge tunnel                                     every built-in judge under every protocol
  passk judge tunnel --bias position=0.4 --bias longer=1 --bias length=0.5
  passk judge tunnel --bias edge=0.5 --protocol swap,repeats=3 --pairs 200
  passk judge tunnel --json > tunnel.json`;

type Done = (exitCode: number) => void;

/** Flags of `judge tunnel` alone. */
interface TunnelFlags {
  readonly seed?: number;
  readonly pairs?: number;
  readonly trials?: number;
  readonly bias?: Readonly<Record<string, number>>;
  readonly protocol?: readonly string[];
}

/** Adds `passk judge`: puts judges on trial. */
export function addJudge(program: Command, terminal: Terminal, done: Done): void {
  const judge = program
    .command('judge')
    .summary('put judges on trial')
    .description('Measures what judges get wrong, and what ways to ask them make good.');
  judge
    .command('tunnel')
    .summary('try protocols on fake judges whose faults are known')
    .description('Says what a protocol recovers of the truth from fake judges with known biases, noise and faults.')
    .addOption(new KindOption('--pairs <n>', 'pairs or answers of each evaluation (default: 2000)', wholeNumber(1)))
    .addOption(new KindOption('--trials <n>', 'evaluations behind each coverage (default: 100)', wholeNumber(1)))
    .addOption(new KindOption('--seed <n>', 'the same seed gives the same numbers (default: 0)', wholeNumber(0)))
    .addOption(
      new Option('--bias <word=number>', 'a judge of your own, in place of the built-in ones; repeatable').argParser(
        parseBias,
      ),
    )
    .addOption(
      new Option('--protocol <words>', 'a protocol of your own, in place of the built-in ones; repeatable').argParser(
        (words: string, before: readonly string[] = []) => [...before, words],
      ),
    )
    .addHelpText('after', TUNNEL_EXAMPLES)
    .action(async (flags: TunnelFlags, command: Command) =>
      done(await runTunnel(flags, { settings: settingsOf(command), terminal })),
    );
}

async function runTunnel({ protocol, ...flags }: TunnelFlags, context: CommandContext): Promise<number> {
  const { judgeTunnel, renderJudgeTunnel } = await import('../../index.ts');
  const tunnel = judgeTunnel({ ...flags, ...(protocol !== undefined && { protocols: protocol }) });
  await printDocument(tunnel, (style) => renderJudgeTunnel(tunnel, style), context);
  return 0;
}

function parseBias(word: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [, name, number = ''] = /^([a-z]+)=(-?(?:\d+\.?\d*|\.\d+))$/.exec(word) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Expected a fault and a number: position=0.5.');
  return { ...before, [name]: Number(number) };
}
