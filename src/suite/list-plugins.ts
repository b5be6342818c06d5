import { invariantTypes } from '../checks/invariants/builtin.ts';
import { lexicalSimilarity } from '../checks/invariants/text-similarity.ts';
import { validatorTypes } from '../checks/validators/builtin.ts';
import { builtinNodeSchemas } from '../engine/node-schemas.ts';
import { loadFor } from './load-suite.ts';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';
import { builtinRunners } from '../runners/builtin.ts';
import { passkReporters } from './passk-reporters.ts';
import { loadReporters } from './resolve-reporters.ts';

/** A word that files or flags may name. */
export interface ListedPlugin {
  /** What kind of plug-in it is. */
  readonly kind:
    | 'node'
    | 'fault'
    | 'invariant'
    | 'check'
    | 'similarity'
    | 'validator'
    | 'subject'
    | 'suite'
    | 'runner'
    | 'importer'
    | 'generator'
    | 'reporter';
  /** The word by which files name it. */
  readonly type: string;
  /** One line on what it does. */
  readonly summary: string;
  /** `passk`, or `user` for plug-ins the user named. */
  readonly origin: 'passk' | 'user';
}

/** Every plug-in there is, by kind, built-in ones first. Rejects with a `PLUGIN` error for modules that do not load. */
export async function listPlugins(
  options: Pick<LoadSuiteOptions, 'plugins' | 'cwd'> = {},
): Promise<readonly ListedPlugin[]> {
  const { registry } = await loadFor({ ...resolveLoadOptions(options), paths: [] });
  const reporters = await loadReporters(options);
  const { generatorsWith } = await import('../generators/builtin.ts');
  const { builtinImporters, importersWith } = await import('../importers/builtin.ts');
  return [
    ...[...registry.nodes.values()].flatMap(({ nodeType, user }): readonly ListedPlugin[] => {
      const { type, summary } = nodeType;
      // Without a schema it is not for files.
      if (!user && !builtinNodeSchemas.has(type)) return [];
      return [{ kind: 'node', type, summary, origin: user ? 'user' : 'passk' }];
    }),
    ...[...registry.faults.values()].map(({ type, summary }): ListedPlugin => {
      return { kind: 'fault', type, summary, origin: registry.userFaults.has(type) ? 'user' : 'passk' };
    }),
    ...invariantTypes.map(({ type, summary }): ListedPlugin => ({ kind: 'invariant', type, summary, origin: 'passk' })),
    ...[...registry.checks.values()].map(
      ({ kind, type, summary }): ListedPlugin => ({ kind, type, summary, origin: 'user' }),
    ),
    ...[...registry.similarities.values()].map((similarity): ListedPlugin => {
      const { type, summary } = similarity;
      return { kind: 'similarity', type, summary, origin: similarity === lexicalSimilarity ? 'passk' : 'user' };
    }),
    ...[...registry.validators.values()].map((validator): ListedPlugin => {
      const { type, summary } = validator;
      return { kind: 'validator', type, summary, origin: validatorTypes.includes(validator) ? 'passk' : 'user' };
    }),
    ...[...registry.subjects.values(), ...registry.suites.values()].map(({ kind, type, summary }): ListedPlugin => {
      return { kind, type, summary, origin: 'user' };
    }),
    ...[...registry.runners.values()].map((runner): ListedPlugin => {
      const { type, summary } = runner;
      return { kind: 'runner', type, summary, origin: builtinRunners.includes(runner) ? 'passk' : 'user' };
    }),
    ...[...importersWith(registry.importers).values()].map((importer): ListedPlugin => {
      const { type, summary } = importer;
      return { kind: 'importer', type, summary, origin: builtinImporters.includes(importer) ? 'passk' : 'user' };
    }),
    ...[...generatorsWith(registry.generators).values()].map(({ type, summary }): ListedPlugin => {
      return { kind: 'generator', type, summary, origin: registry.generators.has(type) ? 'user' : 'passk' };
    }),
    ...reporters.map((reporter): ListedPlugin => {
      const { type, summary } = reporter;
      return { kind: 'reporter', type, summary, origin: passkReporters.includes(reporter) ? 'passk' : 'user' };
    }),
  ];
}
