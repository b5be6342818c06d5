import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { makeCandidate } from '../../src/generators/make-candidate.ts';
import { relate } from '../../src/generators/relations/relate.ts';
import { seededRandom } from '../../src/generators/seeded-random.ts';
import { resolveLoadOptions } from '../../src/settings/options.ts';
import { tryOutWith } from '../../src/suite/generated/try-out-with.ts';
import { loadFile } from '../../src/suite/load-files.ts';
import { registryView } from '../../src/suite/registry-view.ts';
import { SUITE_KINDS } from '../../src/suites/kinds.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import { RELATIONS } from '../../src/types/generated/generated-set.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { fuzz } from './fuzz.ts';
import { mutatedTexts } from './mutations.ts';
import { expectSoundIssues } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const folder = mkdtempSync(path.join(tmpdir(), 'passk-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = resolveLoadOptions({});
const view = registryView(builtinRegistry, [], options);
const tryOut = tryOutWith({ registry: builtinRegistry, liveNodes: [], root: folder }, options);

const FILES = [
  'name = "shop"\n[generate]\nfamily = "repair_shop"\ncount = 1\nweek = "2026-W48"\nrelations = ["renamed_ids"]\n',
  `name = "shop"
trials = 2
[generate]
family = "repair_shop"
count = 2
seed = 7
params = { changes = 1, distractors = 1, scripted = ["sound"] }
relations = ["permuted_turns", "irrelevant_context"]
[[agents]]
name = "mine"
endpoint = "http://127.0.0.1:1/ask"
[mutations]
types = ["typos"]
`,
];

test('any text in place of a file that generates gives scenarios that stand, or problems with their places', {
  timeout: LONG,
}, async () => {
  const file = path.join(folder, 'g.toml');
  await fuzz('files that generate', mutatedTexts(FILES), 150, async ({ text }) => {
    writeFileSync(file, text);
    const named = { path: file, name: 'g.toml', named: true };
    const places = { root: folder, cwd: folder, only: null, kinds: SUITE_KINDS, tryOut };
    const loaded = await loadFile(named, view, places);
    expectSoundIssues(loaded?.issues ?? [], { file: 'g.toml', text: text.replace(/^\ufeff/, ''), root: folder });
    for (const definition of loaded?.definitions ?? []) {
      if (definition.kind === 'generated')
        expect(definition).toHaveProperty('hash', expect.stringMatching(/^[0-9a-f]{64}$/));
    }
  });
});

test('whatever a generator gives is plain data with a canonical form, or says why not, and so is each change of it', {
  timeout: LONG,
}, async () => {
  const places = fc.oneof(fc.string(), fc.constantFrom('document', 'a', 'a.0', '0', 'a.b'));
  const texts = fc.array(places, { maxLength: 3 });
  const given = fc.oneof(
    fc.anything(),
    fc.record(
      {
        document: fc.oneof(fc.object(), fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue())),
        ids: fc.oneof(texts, fc.anything()),
        independent: fc.oneof(fc.array(texts, { maxLength: 2 }), fc.anything()),
        context: fc.oneof(texts, fc.anything()),
      },
      { requiredKeys: ['document'] },
    ),
  );
  await fuzz('what generators give', given, 1000, (value) => {
    // It may be anything: that is what is tried.
    const generate = () => value as ReturnType<Parameters<typeof makeCandidate>[0]['generate']>;
    const generator = { kind: 'generator', type: 'any', summary: 'Anything.', generate } as const;
    const made = makeCandidate(generator, { seed: 1, n: 0, params: {} });
    if (!made.ok) return expect(made.detail).not.toBe('');
    for (const relation of RELATIONS) {
      const changed = relate(relation, made.scenario, seededRandom(1, 'fuzz'));
      if (changed?.ok === true) expect(canonicalJson(changed.document)).toBeTypeOf('string');
    }
  });
});
