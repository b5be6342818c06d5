import type { SuiteType } from '../../plugin/suite-type.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { SuiteKind } from '../suite-kind.ts';

/** The files that plug-ins of kind `suite` load, by their words. */
export function pluginKind(suites: ReadonlyMap<string, SuiteType>): SuiteKind {
  const types = [...suites.values()];
  const typeOf = ({ data }: SourceDocument): SuiteType | undefined =>
    types.find(({ rootKeys }) => rootKeys.some((key) => Object.hasOwn(data, key)));
  return {
    kind: 'suite',
    type: 'plugin',
    plural: 'plugins',
    file: 'a suite',
    summary: 'Files that plug-ins load, each planned as cases.',
    rootKeys: new Set(types.flatMap(({ rootKeys }) => rootKeys)),
    detects: (document) => typeOf(document) !== undefined,
    open: async () => (await import('./plugin-verbs.ts')).pluginVerbs(suites, typeOf),
  };
}
