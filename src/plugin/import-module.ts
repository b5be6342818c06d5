import { PasskError } from '../errors.ts';
import { importProblem } from '../source/import-problem.ts';

/** What a module of the user exports. Throws `PLUGIN` where it cannot be loaded; `what` it is begins the sentence. */
export async function importModule(url: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const { reason, hint } = importProblem(cause, url);
    throw new PasskError('PLUGIN', `${what} cannot be loaded: ${reason}`, { hint, cause });
  }
}
