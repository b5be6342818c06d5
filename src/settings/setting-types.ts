import type { Kind } from './kinds.ts';
import type { Settings } from './table.ts';

type ValueIn<K> = K extends Kind<infer Value, infer _> ? Value : never;
type InputIn<K> = K extends Kind<infer _, infer Input> ? Input : never;

/** What a configuration file holds under the names that are no key of another table. */
export type FileValues = {
  readonly [Name in keyof Settings as Settings[Name] extends { readonly file: string | true }
    ? Settings[Name] extends { readonly within: unknown }
      ? never
      : Name
    : never]?: ValueIn<Settings[Name]['kind']>;
};

/** What a program may give to those who load suites, or to those who run them. */
export type OptionsFor<Who extends 'load' | 'run'> = {
  readonly [Name in keyof Settings as Settings[Name] extends { readonly option: Who } ? Name : never]?: InputIn<
    Settings[Name]['kind']
  >;
};

/** The same with every default filled in; null where nothing is set and there is no default. */
export type FilledIn<Who extends 'load' | 'run'> = {
  readonly [Name in keyof Settings as Settings[Name] extends { readonly option: Who } ? Name : never]-?:
    | InputIn<Settings[Name]['kind']>
    | (Settings[Name] extends { readonly default: unknown } ? never : null);
};

type FlagValue<Row> = Row extends { readonly flag: { readonly kind: infer K } }
  ? ValueIn<K>
  : Row extends { readonly kind: infer K }
    ? ValueIn<K>
    : never;

/** What flags, variables and the configuration file say together; absent: none of them says it. */
export type CommandSettings = {
  readonly [Name in keyof Settings as Settings[Name] extends { readonly flag: unknown } ? Name : never]?:
    | FlagValue<Settings[Name]>
    | (Settings[Name] extends { readonly file: string | true; readonly kind: infer K } ? ValueIn<K> : never)
    | (Settings[Name] extends { readonly flag: { readonly no: unknown } } ? false : never);
} & Pick<FileValues, 'models' | 'judges'>;
