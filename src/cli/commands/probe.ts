import type { Command } from 'commander';
import { DEFAULT_HISTORY } from '../../settings/rows/comparison.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';
import type { Planned } from '../warn-ahead.ts';
import { RUN_PATHS } from './run.ts';

/** Trials of each scenario: a probe is small. */
const TRIALS = 3;

const EXAMPLES = `
What would be run with --live, on a schedule: some trials of each scenario, within a budget, kept in the history, where
\`passk history\` shows when a scenario began to fail. Whoever is asked hears which trial asks (--trace-context), and the
report names the trace of each trial that fails.

Examples:
  passk probe scenarios --max-cost 0.50
  passk probe tasks.toml --allow-net=agent.example.com --baseline released.json --drift-comparisons 30`;

/** Adds `passk probe`: a small round of what is live. */
export function addProbe(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('probe')
    .summary('send a small round through what is live, and keep it in the history')
    .description(
      'Runs some trials of scenarios against real models, agents and servers, within a budget, and keeps the run in the history; the exit code is the verdict.',
    )
    .argument('[paths...]', RUN_PATHS)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _, command: Command) => {
      const { history } = command.opts<{ readonly history?: string | false }>();
      const settings = settingsOf(command);
      const probing: CommandSettings = {
        ...settings,
        live: true,
        trials: settings.trials ?? TRIALS,
        traceContext: settings.traceContext ?? 'auto',
        ...(history !== false && { history: settings.history ?? DEFAULT_HISTORY }),
      };
      const { PasskError } = await import('../../public/suites.ts');
      const admit = (planned: Planned): void => {
        const problem = whyNoProbe(planned, probing);
        if (problem !== null) throw new PasskError('USAGE', problem.message, { hint: problem.hint });
      };
      done(await runAndReport(paths, probing, { terminal, verb: ['probe'], admit }));
    });
}

/** What asks nobody tells nothing of what is live, and what costs money has a budget before it is asked on a schedule. */
function whyNoProbe({ asking, paying }: Planned, { maxCost, maxTokens }: CommandSettings) {
  if (asking === 0) {
    return {
      message: 'Nothing that these files say is live: all of it is answered by the files themselves.',
      hint: 'Probe scenarios that ask a model, an agent or a server; `passk run` runs the others.',
    };
  }
  if (paying === 0 || maxCost !== undefined || maxTokens !== undefined) return null;
  return {
    message: 'A probe of real models needs a budget.',
    hint: 'Add --max-cost or --max-tokens, or set max_cost or max_tokens in passk.toml.',
  };
}
