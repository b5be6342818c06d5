import { PasskError } from '../errors.ts';
import type { FaultType } from './fault-type.ts';
import type { NodeType } from './node-type.ts';
import type { Plugin } from './registry.ts';

/**
 * Plug-ins of user modules, given as `file:` URLs. Any export, or any entry of an exported array, that has a known
 * `kind` counts. Throws a `PasskError` when a module cannot be loaded, exports none, or exports a malformed one.
 */
export async function loadPlugins(modules: readonly string[]): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  for (const module of modules) plugins.push(...pluginsOf(await importModule(module), module));
  return plugins;
}

async function importModule(module: string): Promise<object> {
  try {
    return (await import(module)) as object;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PasskError('PLUGIN', `Plug-in ${shown(module)} cannot be loaded: ${reason}`, {
      hint: 'Name a JavaScript module (.js or .mjs); TypeScript must be compiled first.',
      cause,
    });
  }
}

function pluginsOf(exported: object, module: string): readonly Plugin[] {
  const candidates = Object.values(exported).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]));
  const plugins = [...new Set(candidates.filter(hasKind))];
  if (plugins.length === 0) {
    throw new PasskError('PLUGIN', `Plug-in ${shown(module)} exports nothing with a \`kind\` of "node" or "fault".`, {
      hint: "Export an object such as { kind: 'node', type, summary, needs, labels, create }.",
    });
  }
  return plugins.map((plugin) => checked(plugin, module));
}

function hasKind(value: unknown): value is { readonly kind: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function checked(plugin: { readonly kind: unknown }, module: string): Plugin {
  const fields = plugin as unknown as Readonly<Record<string, unknown>>;
  const wrong = (what: string): PasskError =>
    new PasskError('PLUGIN', `Plug-in ${shown(module)}: ${what}`, {
      hint: 'See docs/api.md for the shape of a plug-in.',
    });
  if (fields.kind !== 'node' && fields.kind !== 'fault') {
    throw wrong(`\`kind\` must be "node" or "fault", got ${JSON.stringify(fields.kind)}.`);
  }
  if (typeof fields.type !== 'string' || !/^[a-z][a-z0-9_]*$/.test(fields.type)) {
    throw wrong(`\`type\` must be a snake_case word, got ${JSON.stringify(fields.type)}.`);
  }
  if (typeof fields.summary !== 'string' || fields.summary === '') throw wrong(`"${fields.type}" has no \`summary\`.`);
  const functions = fields.kind === 'node' ? ['needs', 'labels', 'create'] : ['create'];
  for (const name of functions) {
    if (typeof fields[name] !== 'function') throw wrong(`"${fields.type}" has no function \`${name}\`.`);
  }
  return fields.kind === 'node' ? (plugin as unknown as NodeType) : (plugin as unknown as FaultType);
}

/** A module as the user named it, without the `file:` URL around it. */
function shown(module: string): string {
  return decodeURIComponent(module.split('/').at(-1) ?? module);
}
