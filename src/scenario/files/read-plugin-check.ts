import type { TSchema } from 'typebox';
import { anyKeys, camelKeys } from '../../source/camel-keys.ts';
import { problemsAt } from '../../source/check-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import type { JudgingPlugin } from '../../types/scenarios/code-check.ts';
import { tableAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import type { PluginCheck, RegistryView } from '../registry-view.ts';

interface PluginCheckPlace {
  readonly at: Pointer;
  readonly document: SourceDocument;
  readonly report: Report;
  readonly checks: RegistryView['checks'];
  readonly judges: PluginCheck['judges'];
}

/** The plug-in that a check or a rule names; null: there is none that can judge this, or its settings are wrong, which is told. */
export function readPluginCheck(
  table: JsonObject,
  type: string,
  { at, document, report, checks = new Map(), judges }: PluginCheckPlace,
): JudgingPlugin | null {
  const found = checks.get(type);
  if (found?.judges !== judges) {
    const fitting = [...checks].flatMap(([word, one]) => (one.judges === judges ? [word] : []));
    report({
      code: 'unknown_plugin',
      message:
        found === undefined
          ? `There is no plug-in "${type}" that judges ${judges}.`
          : `The plug-in "${type}" judges ${found.judges}, and not ${judges}.`,
      at: [...at, 'plugin'],
      hint: () => (fitting.length === 0 ? NAME_IT : hintFor(type, fitting, 'plug-ins of this kind')),
    });
    return null;
  }
  const schema = (found.schema ?? anyKeys) as TSchema;
  const written = tableAt(table, 'settings');
  const problems = problemsAt(schema, written, [...at, 'settings'], document);
  for (const problem of problems) report(problem);
  return problems.length > 0 ? null : { plugin: type, settings: camelKeys(written, schema) as JsonObject };
}

const NAME_IT = 'Name the module of the plug-in with --plugin, or under `plugins` in passk.toml.';
