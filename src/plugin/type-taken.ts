import { PasskError } from '../errors.ts';

/** Names of the modules that plug-ins come from, as messages name them. */
const moduleNames = new WeakMap<object, string>();

/** Notes which module a plug-in comes from, for messages about it. */
export function noteModule(plugin: object, module: string): void {
  moduleNames.set(plugin, module);
}

/** The module that a plug-in comes from, as messages name it; null: it comes from none, as those of passk. */
export function moduleOf(plugin: object): string | null {
  return moduleNames.get(plugin) ?? null;
}

/** The error of a plug-in whose word is that of another one or of passk; its module, where it comes from one, is named. */
export function typeTaken(plugin: { readonly kind: string; readonly type: string }): PasskError {
  const { kind, type } = plugin;
  const name = moduleOf(plugin);
  const whose = name === null ? 'the plug-in' : `the plug-in in ${name}`;
  return new PasskError('PLUGIN', `There is already ${kind === 'importer' ? 'an' : 'a'} ${kind} "${type}".`, {
    hint: `Give ${whose} another \`type\`.`,
  });
}
