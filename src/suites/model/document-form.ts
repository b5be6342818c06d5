import { isYamlFile } from '../../source/scan-folder.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** A list of models in YAML, or one of them. */
export function isSpec({ data, source }: SourceDocument): boolean {
  if (!isYamlFile(source.path)) return false;
  if (Object.hasOwn(data, ROOT_LIST)) return true;
  if (['contract', 'agent', 'golden_prompts'].some((key) => Object.hasOwn(data, key))) return false;
  return ['model', 'models', 'supports', 'tests'].some((key) => Object.hasOwn(data, key));
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
