import type { LoadSuiteOptions, ModelEndpoint, RunSuiteOptions } from '../index.ts';
import { SELECTION } from '../settings/rows/selection.ts';
import type { Table } from '../settings/setting.ts';
import type { Given } from '../settings/setting-types.ts';
import { SETTINGS } from '../settings/table.ts';
import { priceOptions } from './price-options.ts';
import type { Terminal } from './terminal.ts';

/** The library options that the settings and paths of a command line stand for. Rejects with `USAGE` or `INPUT`. */
export async function runOptions(
  paths: readonly string[],
  given: Given,
  terminal: Pick<Terminal, 'say'>,
): Promise<RunSuiteOptions> {
  return {
    ...(paths.length > 0 && { paths }),
    ...sameOptions(given),
    ...permissionOptions(given),
    ...(await modelOptions(given)),
    ...(await priceOptions(given)),
    ...journalOptions(given, terminal),
    ...queueOptions(given, terminal),
  };
}

/** Those of them that choose scenarios and the plug-ins they may name. */
export function selectOptions(paths: readonly string[], given: Given): LoadSuiteOptions {
  return { ...(paths.length > 0 && { paths }), ...sameOptions(given, SELECTION) };
}

/** Settings whose value is that of the option of the same name. */
export function sameOptions(given: Given, table: Table = SETTINGS): RunSuiteOptions {
  const values = given as Readonly<Record<string, unknown>>;
  const rows = Object.entries(table).filter(([name, { option, flag }]) => {
    if (option === undefined || flag === undefined || flag.kind !== undefined || values[name] === undefined)
      return false;
    return flag.no === undefined || values[name] !== false;
  });
  return Object.fromEntries(rows.map(([name]) => [name, values[name]]));
}

/** What `--allow-net` and its like say together. */
export function permissionOptions(given: Given): Pick<RunSuiteOptions, 'permissions'> {
  const { allowNet: net, allowRun: run, allowEnv: env, allowRead: read, allowWrite: write } = given;
  const grants = Object.entries({ net, run, env, read, write }).filter(([, grant]) => grant !== undefined);
  return grants.length === 0 ? {} : { permissions: Object.fromEntries(grants) };
}

/** A flag goes before the configuration file, name by name. */
async function modelOptions({ model = [], models = {} }: Given): Promise<Pick<RunSuiteOptions, 'models'>> {
  const all = { ...models, ...Object.fromEntries(model.length === 0 ? [] : await namedModels(model)) };
  return Object.keys(all).length === 0 ? {} : { models: all };
}

async function namedModels(texts: readonly string[]): Promise<readonly (readonly [string, ModelEndpoint])[]> {
  const { parseModel } = await import('../index.ts');
  return texts.map((text) => parseModel(text));
}

/** Without one of the two flags no run leaves a file behind. */
function journalOptions({ journal, resume }: Given, terminal: Pick<Terminal, 'say'>): Pick<RunSuiteOptions, 'journal'> {
  if (journal === undefined && resume !== true) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { journal: { folder: journal ?? '.passk/journal', resume: resume === true, onNotice } };
}

/** The address of a queue, and how long it may be away. */
export function queueOptions(
  { queue: url, queueTimeout }: Given,
  terminal: Pick<Terminal, 'say'>,
): { readonly queue?: Exclude<RunSuiteOptions['queue'], string | undefined> } {
  if (url === undefined) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { queue: { url, onNotice, ...(queueTimeout !== undefined && { outageMs: queueTimeout * 1000 }) } };
}
