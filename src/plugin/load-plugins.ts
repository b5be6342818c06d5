import { moduleName } from '../source/module-name.ts';
import { PasskError } from '../errors.ts';
import { messageOf } from '../values/message-of.ts';
import { importModule } from './import-module.ts';
import type { Plugin } from './registry.ts';
import { noteModule } from './type-taken.ts';

/**
 * Plug-ins of user modules, given as `file:` URLs. Any export, or any entry of an exported array, that has a known
 * `kind` counts. Throws a `PasskError` when a module cannot be loaded, exports none, or exports a malformed one.
 */
export async function loadPlugins(modules: readonly string[]): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  const moduleOf = new Map<string, string>();
  for (const module of new Set(modules)) {
    for (const plugin of readPlugins(await importModule(module, `Plug-in ${moduleName(module)}`), module)) {
      const name = `${plugin.kind} "${plugin.type}"`;
      const other = moduleOf.get(name);
      if (other !== undefined) throw taken(name, module, other);
      moduleOf.set(name, module);
      noteModule(plugin, moduleName(module));
      plugins.push(plugin);
    }
  }
  return plugins;
}

function taken(name: string, module: string, other: string): PasskError {
  const where = module === other ? 'in it' : `in ${moduleName(other)}`;
  return new PasskError('PLUGIN', `Plug-in ${moduleName(module)}: there is another ${name} ${where}.`, {
    hint: 'Give one of them another `type`.',
  });
}

/** Code of the user may run where fields are read, and throw. */
function readPlugins(exported: object, module: string): readonly Plugin[] {
  try {
    return pluginsOf(exported, module);
  } catch (error) {
    if (error instanceof PasskError) throw error;
    throw new PasskError('PLUGIN', `Plug-in ${moduleName(module)} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function pluginsOf(exported: object, module: string): readonly Plugin[] {
  const candidates = namedIn(exported).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]));
  const plugins = [...new Set(candidates.filter(hasKind))];
  if (plugins.length === 0) {
    throw new PasskError(
      'PLUGIN',
      `Plug-in ${moduleName(module)} exports nothing with a \`kind\` of ${listed(KINDS)}.`,
      {
        hint: "Export an object such as { kind: 'node', type, summary, needs, labels, create }.",
      },
    );
  }
  return plugins.map((plugin) => checked(plugin, module));
}

/** What a module exports by names. Node may see all that a CommonJS module exports as its `default` alone. */
function namedIn(exported: object): readonly unknown[] {
  const whole: unknown = 'default' in exported ? exported.default : undefined;
  const isWhole = typeof whole === 'object' && whole !== null && !hasKind(whole);
  return [...Object.values(exported), ...(isWhole ? Object.values(whole) : [])];
}

function hasKind(value: unknown): value is { readonly kind: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function checked(plugin: { readonly kind: unknown }, module: string): Plugin {
  const fields = plugin as unknown as Readonly<Record<string, unknown>>;
  const wrong = (what: string): PasskError =>
    new PasskError('PLUGIN', `Plug-in ${moduleName(module)}: ${what}`, {
      hint: 'See docs/api.md for the shape of a plug-in.',
    });
  const { kind } = fields;
  if (!isKind(kind)) throw wrong(`\`kind\` must be ${listed(KINDS)}, got ${JSON.stringify(kind)}.`);
  const { word, pattern } = WORDS[kind];
  if (typeof fields.type !== 'string' || !pattern.test(fields.type)) {
    throw wrong(`\`type\` must be ${word}, got ${JSON.stringify(fields.type)}.`);
  }
  if (typeof fields.summary !== 'string' || fields.summary === '') throw wrong(`"${fields.type}" has no \`summary\`.`);
  for (const name of FUNCTIONS[kind]) {
    if (typeof fields[name] !== 'function') throw wrong(`"${fields.type}" has no function \`${name}\`.`);
  }
  if (kind === 'validator' && !isArgumentRule(fields.argument)) {
    throw wrong(`"${fields.type}" has no \`argument\` with \`is\` ("none", "optional" or "required") and \`what\`.`);
  }
  if (kind === 'check' && fields.judges !== 'trials' && fields.judges !== 'answers') {
    throw wrong(`"${fields.type}" does not say what it \`judges\`: "trials" or "answers".`);
  }
  const { schema } = fields;
  const isSchema = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (schema !== undefined && !isSchema) throw wrong(`\`schema\` of "${fields.type}" is no JSON Schema.`);
  if (kind === 'runner') {
    const { judges, atOnce } = fields;
    const isLimit = atOnce === undefined || (Number.isSafeInteger(atOnce) && Number(atOnce) > 0);
    if (!isLimit) throw wrong(`\`atOnce\` of "${fields.type}" is no whole number from 1.`);
    if (judges !== undefined && !isWords(judges))
      throw wrong(`\`judges\` of "${fields.type}" is no list of validators.`);
  }
  if (kind === 'suite' && !isWords(fields.rootKeys)) throw wrong(`"${fields.type}" has no list of \`rootKeys\`.`);
  return plugin as unknown as Plugin;
}

/** Kinds that user modules may export, and the functions that each must have. */
const FUNCTIONS = {
  node: ['needs', 'labels', 'create'],
  fault: ['create'],
  reporter: ['render'],
  check: ['create'],
  similarity: ['create'],
  subject: ['open'],
  suite: ['load', 'fold'],
  runner: ['open'],
  validator: ['validate'],
  importer: ['detects', 'index', 'read'],
  generator: ['generate'],
} as const;
const KINDS = Object.keys(FUNCTIONS);
const TOML_WORD = { word: 'a snake_case word', pattern: /^[a-z][a-z0-9_]*$/ };
/** A colon would end the name in `--reporter NAME:path`. */
const FLAG_WORD = { word: 'a word of lower-case letters, digits, "-" and "_"', pattern: /^[a-z][a-z0-9_-]*$/ };
/** How the `type` of each kind is written. */
const WORDS = {
  node: TOML_WORD,
  fault: TOML_WORD,
  reporter: FLAG_WORD,
  check: FLAG_WORD,
  similarity: FLAG_WORD,
  subject: FLAG_WORD,
  suite: FLAG_WORD,
  runner: FLAG_WORD,
  importer: FLAG_WORD,
  generator: TOML_WORD,
  // A colon would end the name in `text-includes:21`.
  validator: { word: 'lower-case words joined by "-"', pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/ },
} as const;

function isArgumentRule(rule: unknown): boolean {
  const { is, what } = (rule ?? {}) as Readonly<Record<string, unknown>>;
  return (is === 'none' || is === 'optional' || is === 'required') && typeof what === 'string';
}

function isWords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}

function isKind(kind: unknown): kind is keyof typeof FUNCTIONS {
  return typeof kind === 'string' && Object.hasOwn(FUNCTIONS, kind);
}

function listed(words: readonly string[]): string {
  return words
    .map((word) => `"${word}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');
}
