import type { Command } from 'commander';
import { type Kind, UnreadableWord, wholeNumber } from '../../settings/kinds.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { untilInterrupt } from '../interrupt.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

/** Its own flags. */
interface ProxyFlags {
  readonly port?: number;
  readonly upstream?: string;
  readonly tool?: Readonly<Record<string, string>>;
  readonly profile?: string;
  readonly contract?: string;
  readonly column?: string;
}

const EXAMPLES = `
Point the agent at it: OPENAI_BASE_URL=http://127.0.0.1:8787/v1

Examples:
  passk chaos proxy --profile degraded_llm
  passk chaos proxy --contract support.contract.toml --column search-down
  passk chaos proxy --profile hostile_tools --tool quotes=https://quotes.example/v2
                    the agent calls http://127.0.0.1:8787/tools/quotes/…`;

/** Adds `passk chaos`: breaks what an agent calls. Another program starts the agent. */
export function addChaos(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const chaos = program.command('chaos').summary('break the world of an agent').description('Breaks what agents call.');
  chaos
    .command('proxy')
    .summary('stand between an agent and its models and tools')
    .description(
      'Passes calls of an agent on to its models and tools, on this machine only, and breaks them as declared, until Ctrl-C. Says then how often each fault fired.',
    )
    .option('--profile <name>', 'a built-in profile, such as api_outage, or a file with one')
    .option('--contract <file>', 'a contract, with --column')
    .option('--column <name>', 'a column of its chaos matrix')
    .addOption(new KindOption('--port <n>', 'port to listen on, 0 for any (default: 8787)', wholeNumber(0)))
    .option('--upstream <url>', 'where model calls go (default: to OpenAI, or Anthropic)')
    .addOption(new KindOption('--tool <name=url>', 'a tool, reached as /tools/NAME/…', tools))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ProxyFlags, command: Command) => done(await runProxy(flags, settingsOf(command), terminal)));
}

async function runProxy(flags: ProxyFlags, settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { openChaosProxy } = await import('../../public/engines.ts');
  const { profile, contract, column, tool, port, upstream } = flags;
  const { allowNet, seed, quiet } = settings;
  const chaos = profile !== undefined ? { profile } : contract !== undefined ? { file: contract, column } : null;
  if (chaos === null || (profile !== undefined && contract !== undefined)) {
    throw new PasskError('USAGE', 'What is to go wrong is not said, or said twice.', {
      hint: 'Give --profile NAME, or --contract FILE with --column NAME.',
    });
  }
  if ('file' in chaos && chaos.column === undefined) {
    throw new PasskError('USAGE', '--contract needs --column.', { hint: `\`passk list ${chaos.file}\` shows them.` });
  }
  const proxy = await openChaosProxy({
    chaos: 'file' in chaos ? { file: chaos.file, column: chaos.column ?? '' } : chaos,
    ...(port !== undefined && { port }),
    ...(upstream !== undefined && { upstream }),
    ...(seed !== undefined && { seed }),
    ...(tool !== undefined && { tools: tool }),
    ...(allowNet !== undefined && { net: allowNet }),
    onCall: ({ kind, name, fired }) => {
      if (quiet === true) return;
      const what = fired.length === 0 ? 'passed on' : `broken: ${fired.join(', ')}`;
      terminal.say(`${kind} ${name}: ${what}`);
    },
  });
  try {
    terminal.say(`the proxy listens on ${proxy.url} (models: ${proxy.url}/v1); Ctrl-C ends it.`);
    await untilInterrupt();
  } finally {
    await proxy.close();
  }
  for (const { fault, fired } of proxy.fired()) terminal.print(`${String(fired).padStart(6)}  ${fault}\n`);
  return 0;
}

const tools: Kind<Readonly<Record<string, string>>> = {
  schema: null,
  read: (word, before) => {
    const [, name, url] = /^([^=/]+)=(.+)$/s.exec(word) ?? [];
    if (name === undefined || url === undefined) throw new UnreadableWord('Write it as NAME=URL.');
    return { ...(before as Readonly<Record<string, string>> | undefined), [name]: url };
  },
  problem: () => null,
  isList: true,
};
