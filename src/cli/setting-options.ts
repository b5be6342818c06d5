import type { ModelEndpoint } from '../public/models.ts';
import type { LoadSuiteOptions, RunSuiteOptions } from '../public/suites.ts';
import { SELECTION } from '../settings/rows/selection.ts';
import type { Table } from '../settings/setting.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { SETTINGS } from '../settings/table.ts';
import { priceOptions } from './price-options.ts';
import type { Terminal } from './terminal.ts';

/** The library options that the settings and paths of a command line stand for. Rejects with `USAGE` or `INPUT`. */
export async function runOptions(
  paths: readonly string[],
  settings: CommandSettings,
  terminal: Pick<Terminal, 'say'>,
): Promise<RunSuiteOptions> {
  return {
    ...(paths.length > 0 && { paths }),
    ...sameOptions(settings),
    ...permissionOptions(settings),
    ...(await modelOptions(settings)),
    ...(settings.judges !== undefined && { judges: settings.judges }),
    ...(await priceOptions(settings)),
    ...journalOptions(settings, terminal),
    ...queueOptions(settings, terminal),
  };
}

/** The options that choose scenarios, and the plug-ins that scenarios may name. */
export function selectOptions(paths: readonly string[], settings: CommandSettings): LoadSuiteOptions {
  return { ...(paths.length > 0 && { paths }), ...sameOptions(settings, SELECTION) };
}

/** The settings whose value is that of the option of the same name. */
export function sameOptions(settings: CommandSettings, table: Table = SETTINGS): RunSuiteOptions {
  const values = settings as Readonly<Record<string, unknown>>;
  const rows = Object.entries(table).filter(([name, { option, flag }]) => {
    if (option === undefined || flag === undefined || flag.kind !== undefined || values[name] === undefined)
      return false;
    return flag.no === undefined || values[name] !== false;
  });
  return Object.fromEntries(rows.map(([name]) => [name, values[name]]));
}

/** The permissions that `--allow-net` and its like grant. */
export function permissionOptions(settings: CommandSettings): Pick<RunSuiteOptions, 'permissions'> {
  const { allowNet: net, allowRun: run, allowEnv: env, allowRead: read, allowWrite: write } = settings;
  const grants = Object.entries({ net, run, env, read, write }).filter(([, grant]) => grant !== undefined);
  return grants.length === 0 ? {} : { permissions: Object.fromEntries(grants) };
}

/** The models of the flags and of the configuration file. For the same name the flag wins. */
async function modelOptions({ model = [], models = {} }: CommandSettings): Promise<Pick<RunSuiteOptions, 'models'>> {
  const all = { ...models, ...Object.fromEntries(model.length === 0 ? [] : await namedModels(model)) };
  return Object.keys(all).length === 0 ? {} : { models: all };
}

async function namedModels(texts: readonly string[]): Promise<readonly (readonly [string, ModelEndpoint])[]> {
  const { parseModel } = await import('../public/suites.ts');
  return texts.map((text) => parseModel(text));
}

/** The journal, where one of the two flags asks for it. */
function journalOptions(
  { journal, resume }: CommandSettings,
  terminal: Pick<Terminal, 'say'>,
): Pick<RunSuiteOptions, 'journal'> {
  if (journal === undefined && resume !== true) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { journal: { folder: journal ?? '.passk/journal', resume: resume === true, onNotice } };
}

/** The address of a queue, and how long it may be out of reach. */
export function queueOptions(
  { queue: url, queueTimeout }: CommandSettings,
  terminal: Pick<Terminal, 'say'>,
): { readonly queue?: Exclude<RunSuiteOptions['queue'], string | undefined> } {
  if (url === undefined) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { queue: { url, onNotice, ...(queueTimeout !== undefined && { outageMs: queueTimeout * 1000 }) } };
}
