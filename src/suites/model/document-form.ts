import { isYamlFile } from '../../source/scan-folder.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** A list of models in YAML or JSON, or one of them. */
export function isSpec({ data, source }: SourceDocument): boolean {
  if (!isYamlFile(source.path)) return false;
  const { [ROOT_LIST]: list } = data;
  if (source.path.endsWith('.json')) return isSpecData(list ?? data);
  if (list !== undefined) return true;
  if (['contract', 'agent', 'golden_prompts'].some((key) => Object.hasOwn(data, key))) return false;
  return ['model', 'models', 'supports', 'tests'].some((key) => Object.hasOwn(data, key));
}

/** The same of JSON, where lists of tables hold recorded runs, too. */
export function isSpecData(data: Json): boolean {
  const models: readonly Json[] = Array.isArray(data) ? data : [data];
  const isModel = (one: Json): boolean =>
    isJsonObject(one) && Object.hasOwn(one, 'model') && ['supports', 'tests'].some((key) => Object.hasOwn(one, key));
  return models.some(isModel);
}

/**
 * `[model]` at the root of a TOML file, with what is tested or where it is. In contracts that table is the model that writes
 * mutations, and other programs have tables of that name too.
 */
export function isModelFile({ data, source }: SourceDocument): boolean {
  const { model } = data;
  if (isYamlFile(source.path) || !isJsonObject(model)) return false;
  if (['contract', 'agent', 'golden_prompts', 'invariants', 'workflow'].some((key) => Object.hasOwn(data, key)))
    return false;
  return ['supports', 'tests', 'provider', 'base_url'].some((key) => Object.hasOwn(model, key));
}
