import type { Command } from 'commander';
import type { ModelSuite, StartedEntry } from '../../public/models.ts';
import type { RunSuiteOptions } from '../../public/suites.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { modelTestName } from '../../values/model-test-name.ts';
import { alignColumns } from '../align-columns.ts';
import { withPrograms } from '../interrupt.ts';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

const PATHS = 'spec files, folders, or plug-ins of conform.toml by name (default: all of the nearest conform.toml)';

const EXAMPLES = `
Examples:
  passk model check                             all plug-ins of the nearest conform.toml
  passk model check anthropic --runtime js      one of them, in one language
  passk model check gpt.toml --live             a model that passk asks itself
  passk model list
  passk model lint model-conformance.yaml`;

type Done = (exitCode: number) => void;

/** Adds `passk model`: tests models, lists their tests, or checks spec files. */
export function addModel(program: Command, terminal: Terminal, done: Done): void {
  const model = program
    .command('model')
    .summary('test models, list tests or check spec files')
    .description(
      'Tests whether models keep the common contract behind their SDKs: tools, streams, structured output, media.',
    )
    .addHelpText('after', EXAMPLES);
  model
    .command('check')
    .summary('test models and report')
    .description('Tests models and reports as run, with a matrix of models and tests.')
    .argument('[paths...]', PATHS)
    .option('--dry-run', 'list the tests that would be asked, and ask none')
    .option('--only-failed <report>', 'only tests that did not pass in this JSON report')
    .action(async (words: readonly string[], flags: CheckFlags, command: Command) =>
      done(await check(words, { settings: settingsOf(command), flags }, terminal)),
    );
  model
    .command('list')
    .summary('list models with their tests')
    .description('Lists models with the tests that a check with the same paths would run.')
    .argument('[paths...]', PATHS)
    .action(async (words: readonly string[], _, command: Command) =>
      done(await list(words, settingsOf(command), terminal)),
    );
  model
    .command('lint')
    .summary('check spec files and conform.toml')
    .description(
      'Checks spec files and their conform.toml without asking any model; a missing entry or variable is a warning.',
    )
    .argument('[paths...]', PATHS)
    .option('--start', 'also start each entry, wait until it can be asked, and end it')
    .option('--strict', 'warnings are errors')
    .action(async (words: readonly string[], flags: LintFlags, command: Command) =>
      done(await lint(words, { settings: settingsOf(command), flags }, terminal)),
    );
}

interface CheckFlags {
  readonly dryRun?: boolean;
  readonly onlyFailed?: string;
}

async function check(
  words: readonly string[],
  { settings, flags }: { readonly settings: CommandSettings; readonly flags: CheckFlags },
  terminal: Terminal,
): Promise<number> {
  const names = flags.onlyFailed === undefined ? null : await failedTests(flags.onlyFailed);
  if (names?.length === 0) {
    terminal.say(`Every test passed in ${flags.onlyFailed}: there is none to ask again.`);
    return 0;
  }
  const checkSettings = names === null ? settings : { ...settings, names };
  if (flags.dryRun === true) return list(words, checkSettings, terminal);
  const paths = await specsOf(words, checkSettings, terminal);
  return runAndReport(paths, checkSettings, { terminal, verb: ['model', 'check'], part: { only: 'models' } });
}

/** The tests of a report that did not pass, as patterns of names. */
async function failedTests(file: string): Promise<readonly string[]> {
  const { readReport } = await import('../../public/evidence.ts');
  const { results } = await readReport(file);
  return results.flatMap((result) =>
    result.kind === 'model'
      ? result.cells
          .filter(({ state }) => state !== 'passed' && state !== 'flaky')
          .map(({ model, test }) => `/^${escaped(modelTestName(result.name, model, test))}$/`)
      : [],
  );
}

/** A pattern that matches this text alone. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

async function specsOf(
  words: readonly string[],
  settings: CommandSettings,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { modelSpecs } = await import('../../public/models.ts');
  return modelSpecs(words, await loading(settings, terminal));
}

async function loading(settings: CommandSettings, terminal: Terminal): Promise<RunSuiteOptions> {
  return { ...(await runOptions([], settings, terminal)), only: 'models' };
}

interface ListedModel {
  readonly plugin: string;
  readonly runtime: string;
  readonly runner: string;
  readonly model: string;
  readonly file: string;
  /** Variables that the model needs and that are not set. */
  readonly missingEnv: readonly string[];
  readonly tests: ModelSuite['models'][number]['tests'];
}

async function list(words: readonly string[], settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { printIssues } = await import('../../public/suites.ts');
  const { lintModels } = await import('../../public/models.ts');
  const { suites, issues } = await lintModels(words, await loading(settings, terminal));
  const rows = suites.flatMap(({ plugin, runtime, runner, file, missingEnv, models }) =>
    models.map(({ name, tests }): ListedModel => ({ plugin, runtime, runner, model: name, file, missingEnv, tests })),
  );
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (settings.json === true) terminal.printJson(rows);
  else if (rows.length > 0) {
    const head = ['model', 'plug-in', 'runtime', 'runner', 'tests', 'variables'];
    const cells = rows.map(({ model, plugin, runtime, runner, tests, missingEnv }) => {
      const custom = tests.filter(({ capability }) => capability === null).length;
      const count = custom === 0 ? String(tests.length) : `${tests.length} (${custom} own)`;
      return [
        model,
        plugin,
        runtime,
        runner,
        count,
        missingEnv.length === 0 ? 'ready' : `missing: ${missingEnv.join(', ')}`,
      ];
    });
    terminal.print(alignColumns([head, ...cells]));
  }
  const color = settings.color !== false && terminal.errorColor;
  if (errors.length > 0) terminal.complain(printIssues(errors, { color }), { color });
  if (rows.length === 0 && errors.length === 0) terminal.say('No model is there.');
  return errors.length > 0 || rows.length === 0 ? 2 : 0;
}

interface LintFlags {
  readonly start?: boolean;
  readonly strict?: boolean;
}

interface LintOptions {
  readonly settings: CommandSettings;
  readonly flags: LintFlags;
}

async function lint(words: readonly string[], { settings, flags }: LintOptions, terminal: Terminal): Promise<number> {
  const { printIssues } = await import('../../public/suites.ts');
  const { lintModels } = await import('../../public/models.ts');
  const options = { ...(await loading(settings, terminal)), start: flags.start === true };
  const { files, suites, entries, ...result } = await withPrograms(() => lintModels(words, options));
  const issues =
    flags.strict === true ? result.issues.map((issue) => ({ ...issue, severity: 'error' as const })) : result.issues;
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const tests = suites.reduce((sum, { models }) => sum + models.reduce((count, one) => count + one.tests.length, 0), 0);
  if (settings.json === true) {
    terminal.printJson({
      files,
      errors,
      warnings: issues.length - errors,
      issues,
      ...(entries !== undefined && { entries }),
    });
  } else {
    const color = settings.color !== false && terminal.color;
    if (issues.length > 0) terminal.print(printIssues(issues, { color }), { color });
    if (entries !== undefined) terminal.print(entryLines(entries));
    if (errors === 0 && suites.length > 0) {
      const models = suites.reduce((count, suite) => count + suite.models.length, 0);
      terminal.print(
        `${models} model${models === 1 ? '' : 's'} with ${tests} test${tests === 1 ? '' : 's'}: no error.\n`,
      );
    }
  }
  if (files.length === 0 && errors === 0) terminal.say('No spec file is there.');
  return errors > 0 || files.length === 0 ? 2 : 0;
}

function entryLines(entries: readonly StartedEntry[]): string {
  if (entries.length === 0) return 'No entry was there to start.\n';
  const rows = entries.map(({ plugin, runtime, runner, seconds }) => [
    plugin,
    runtime,
    runner,
    seconds === null ? 'does not start' : `started in ${seconds.toFixed(1)} s`,
  ]);
  return alignColumns([['plug-in', 'runtime', 'runner', 'entry'], ...rows]);
}
