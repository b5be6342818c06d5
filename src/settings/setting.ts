import type { CommandName } from './commands.ts';
import type { Kind } from './kinds.ts';

/**
 * All that passk knows of one setting. Its name in the table is its name as an option of the library and in
 * `passk.config.js`; the names in `passk.toml`, of its flag and of its variable follow from it (`setting-names.ts`).
 */
export interface Setting {
  readonly kind: Kind<unknown, unknown>;
  /** Where it is there, a configuration file may set it. It says what it is; true: the same as the help of its flag. */
  readonly file?: string | true;
  /** Where it is there, the library takes it: wherever suites are loaded, or only where they are run. */
  readonly option?: 'load' | 'run';
  /** What is used where nobody sets it; absent: the scenario decides, or there is none. */
  readonly default?: unknown;
  /** The default as help shows it, where that is not the value. */
  readonly defaultText?: string;
  readonly flag?: Flag;
  /** Its texts name files: in a configuration file relative to its folder, and outside of the repository with consent. */
  readonly paths?: PathUse;
  /** What a configuration file needs consent for when it sets this. */
  readonly consent?: Consent;
  /** It is a key of this table of the configuration file. */
  readonly within?: readonly [table: string, key: string];
}

/**
 * `patterns` and `read` are read; `written` and `reports` (`NAME:path`) are written; `modules` are files or packages.
 */
export type PathUse = 'patterns' | 'read' | 'written' | 'reports' | 'modules';

export interface Consent {
  /** What would happen, such as `start programs`. */
  readonly wants: string;
  readonly isNeeded: (value: never) => boolean;
}

/** How the command line says a setting. */
export interface Flag {
  readonly on: readonly CommandName[];
  /** A sentence without capital and full stop. */
  readonly help: string;
  /** The same where it means something else. */
  readonly helpOn?: Readonly<Partial<Record<CommandName, string>>>;
  /** What its value is called: `n` gives `<n>`. Absent: a switch. */
  readonly value?: string;
  readonly short?: string;
  /** Its name without dashes, where it does not follow from the setting's. */
  readonly name?: string;
  /** What it holds, where that is not what files hold. */
  readonly kind?: Kind<unknown, unknown>;
  /** What the bare flag means; only `=` binds a value to it. */
  readonly bare?: string;
  /** Its negation `--no-…`. */
  readonly no?: { readonly on: readonly CommandName[]; readonly help: string };
  readonly isHidden?: true;
  /** The setting without which it does nothing: who types it alone is told so. */
  readonly needs?: string;
  /** It speaks of a whole run: a part of one (`--shard`) refuses it. */
  readonly ofWholeRun?: true;
  /** `passk config` does not show it: it is about the command itself, or may hold a password. */
  readonly isUnlisted?: true;
}

export type Table = Readonly<Record<string, Setting>>;
