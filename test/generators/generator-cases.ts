import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCandidate } from '../../src/generators/make-candidate.ts';
import { relate } from '../../src/generators/relations/relate.ts';
import { seededRandom } from '../../src/generators/seeded-random.ts';
import type { GeneratorType } from '../../src/plugin/generator-type.ts';
import { RELATIONS } from '../../src/types/generated/generated-set.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { selectPath } from '../../src/values/select-path.ts';

/** What every generator promises. `params`: parameters that it takes. */
export function generatorCases(generator: GeneratorType, params: fc.Arbitrary<JsonObject>): void {
  const wanted = fc.record({ seed: fc.nat({ max: 2 ** 48 }), n: fc.nat({ max: 5000 }), params });

  test(`${generator.type} gives the same for the same seed, whatever it gave before`, () => {
    fc.assert(
      fc.property(wanted, wanted, (one, other) => {
        const first = makeCandidate(generator, one);
        makeCandidate(generator, other);
        expect(first.ok).toBe(true);
        expect(makeCandidate(generator, one)).toEqual(first);
      }),
    );
  });

  test(`${generator.type} gives plain data with a canonical form, and names places that are there`, () => {
    fc.assert(
      fc.property(wanted, (one) => {
        const made = makeCandidate(generator, one);
        if (!made.ok) throw new Error(made.detail);
        const { document, ids = [], independent = [], context = [] } = made.scenario;
        const text = canonicalJson(document);
        for (const id of ids) expect(text).toContain(id);
        for (const place of [...independent.flat(), ...context]) expect(selectPath(document, place)).toBeDefined();
      }),
    );
  });

  test(`each change of what ${generator.type} gives is another document, and the same for the same seed`, () => {
    fc.assert(
      fc.property(wanted, fc.constantFrom(...RELATIONS), (one, relation) => {
        const made = makeCandidate(generator, one);
        if (!made.ok) throw new Error(made.detail);
        const changed = relate(relation, made.scenario, seededRandom(one.seed, 'x'));
        if (changed === null) return;
        if (!changed.ok) throw new Error(changed.problem);
        expect(canonicalJson(changed.document)).not.toBe(canonicalJson(made.scenario.document));
        expect(relate(relation, made.scenario, seededRandom(one.seed, 'x'))).toEqual(changed);
      }),
    );
  });
}
