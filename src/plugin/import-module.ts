import { PasskError } from '../errors.ts';
import { messageOf } from '../values/message-of.ts';

/** What a module of the user exports. Throws `PLUGIN` where it cannot be loaded; `what` it is begins the sentence. */
export async function importModule(url: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new PasskError('PLUGIN', `${what} cannot be loaded: ${messageOf(cause)}`, {
      hint: 'Name a JavaScript module (.js or .mjs); TypeScript must be compiled first.',
      cause,
    });
  }
}
