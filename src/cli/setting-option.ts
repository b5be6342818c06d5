import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandName } from '../settings/commands.ts';
import { type Kind, UnreadableWord } from '../settings/kinds.ts';
import type { Flag, Setting, Table } from '../settings/setting.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { flagName } from '../settings/setting-names.ts';
import { SETTINGS } from '../settings/table.ts';

/** A flag whose value its kind reads. */
export class KindOption extends Option {
  readonly kind: Kind<unknown, unknown>;

  constructor(flags: string, description: string, kind: Kind<unknown, unknown>) {
    super(flags, kind.isList === true ? `${description}; repeatable` : description);
    this.kind = kind;
    if (kind.choices !== undefined) this.argChoices = [...kind.choices];
    const { read } = kind;
    if (read === null) return;
    this.argParser((word, before) => {
      try {
        return read(word, before);
      } catch (error) {
        if (error instanceof UnreadableWord) throw new InvalidArgumentError(error.message);
        throw error;
      }
    });
  }
}

/** A setting that has a flag. */
type FlagSetting = Setting & { readonly flag: Flag };

/** The flag of a setting of the table. */
export class SettingOption extends KindOption {
  readonly setting: string;
  readonly row: FlagSetting;

  constructor(setting: string, row: FlagSetting, [flags, description]: readonly [string, string]) {
    super(flags, description, row.flag.kind ?? row.kind);
    this.setting = setting;
    this.row = row;
  }
}

/** Adds the flags of the table to a command. `passk config` has those of `run`. */
export function addSettings(command: Command, called: string, table: Table = SETTINGS): void {
  for (const [name, row] of Object.entries(table)) {
    if (!hasFlag(row)) continue;
    const { on, no } = row.flag;
    if (isOn(on, called)) command.addOption(positive(name, row, called as CommandName));
    if (no === undefined || !isOn(no.on, called)) continue;
    command.addOption(new SettingOption(name, row, [`--no-${flagName(name, row)}`, no.help]));
  }
}

function hasFlag(row: Setting): row is FlagSetting {
  return row.flag !== undefined;
}

function isOn(commands: readonly string[], called: string): boolean {
  return commands.includes(called) || (called === 'config' && commands.includes('run'));
}

function positive(name: string, row: FlagSetting, called: CommandName): SettingOption {
  const { short, value, help, helpOn, bare, isHidden } = row.flag;
  const words = `${short === undefined ? '' : `-${short}, `}--${flagName(name, row)}`;
  const flags = value === undefined ? words : `${words} <${value}>`;
  const option = new SettingOption(name, row, [flags, `${helpOn?.[called] ?? help}${usual(row)}`]);
  // Only `=` gives the flag a value: the word after a bare flag is a path.
  if (bare !== undefined) option.flags = `${words}[=${value}]`;
  return isHidden === true ? option.hideHelp() : option;
}

/** The default as help shows it: lists and switches have none. */
function usual({ default: value, defaultText }: Setting): string {
  const text = defaultText ?? (typeof value === 'number' || typeof value === 'string' ? String(value) : null);
  return text === null ? '' : ` (default: ${text})`;
}

/** The settings of a command by name, once variables and the configuration file have been applied. */
export function settingsOf(command: Command): CommandSettings {
  const options = command.options.filter((option) => option instanceof SettingOption);
  const values = options.map((option) => [option.setting, command.getOptionValue(option.attributeName())] as const);
  // They have no flag: they are tables of the configuration file beside `--model`.
  const tables = (['models', 'judges'] as const).map((name) => [name, command.getOptionValue(name)] as const);
  const all = [...values, ...tables];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
