import { Type } from '../../source/schema-type.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { text } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const moduleSchema: InvariantSchema<RuleOf<'module'>> = {
  type: 'module',
  keys: {
    module: text('For `module`: the JavaScript module, relative to this file; --allow-run grants it.'),
    export: text('For `module`: the function that it exports; default `default`.'),
  },
  read: (table, at, { report, moduleFile }) => {
    const name = requiredText(table, 'module', at, report, 'Name the file of the module.');
    const file = name === '' ? null : moduleFile(name, [...at, 'module']);
    return file === null ? null : { type: 'module', file, exported: textAt(table, 'export') ?? 'default' };
  },
};

export const pluginSchema: InvariantSchema<RuleOf<'plugin'>> = {
  type: 'plugin',
  keys: {
    plugin: text('For `plugin`: the type of a plug-in that judges answers.'),
    settings: Type.Object({}, { additionalProperties: true, description: 'For `plugin`: what it is told.' }),
  },
  read: (table, at, { report, plugin }) => {
    const type = requiredText(table, 'plugin', at, report, 'Name the type of the plug-in.');
    const found = type === '' ? null : plugin(type, table, at);
    return found === null ? null : { type: 'plugin', ...found };
  },
};
