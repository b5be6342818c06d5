import type { GeneratorType } from '../plugin/generator-type.ts';
import { typeTaken } from '../plugin/type-taken.ts';
import { repairShop } from './families/repair-shop.ts';

/** Generators that passk brings. */
const builtinGenerators: readonly GeneratorType[] = [repairShop];

/** All that files may name, by their words. Throws `PLUGIN` where a plug-in has the word of another. */
export function generatorsWith(
  ofUser: ReadonlyMap<string, GeneratorType> = new Map(),
): ReadonlyMap<string, GeneratorType> {
  for (const { type } of builtinGenerators) {
    const plugin = ofUser.get(type);
    if (plugin !== undefined) throw typeTaken(plugin);
  }
  return new Map([...builtinGenerators.map((one) => [one.type, one] as const), ...ofUser]);
}
