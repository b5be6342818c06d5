import { PasskError } from '../errors.ts';
import { importProblem } from '../source/import-problem.ts';
import { runModule } from '../source/run-module.ts';
import { isRecord } from '../values/is-json.ts';

export interface ModuleExport {
  /** As a `file:` URL. */
  readonly url: string;
  /** As messages name it. */
  readonly file: string;
  readonly exported: string;
}

/** A function that a module of the user exports. Throws `PLUGIN` where there is none; `what` the module is begins the sentence. */
export async function exportedFunction({ url, file, exported }: ModuleExport, what: string): Promise<unknown> {
  const module = await importModule(url, `${what} ${file}`);
  // Node may see all that a CommonJS module exports as its `default` alone.
  const found = module[exported] ?? (isRecord(module['default']) ? module['default'][exported] : undefined);
  if (typeof found === 'function') return found;
  const names = Object.keys(module).join(', ');
  throw new PasskError('PLUGIN', `${what} ${file} exports no function "${exported}".`, {
    hint: names === '' ? 'It exports nothing.' : `It exports: ${names}.`,
  });
}

/** What a module of the user exports. Throws `PLUGIN` where it cannot be loaded; `what` it is begins the sentence. */
export async function importModule(url: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await runModule(url);
  } catch (cause) {
    const { reason, hint } = importProblem(cause, url, process.versions.node);
    throw new PasskError('PLUGIN', `${what} cannot be loaded: ${reason}`, { hint, cause });
  }
}
