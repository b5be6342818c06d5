import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { missingStages, readCanary } from '../../src/canary/read-canary.ts';
import { readOutcome } from '../../src/canary/read-outcome.ts';
import { REFUSALS } from '../../src/types/canary/canary-report.ts';
import { rehearseCanary } from '../../src/canary/rehearse-canary.ts';
import { renderRehearsal } from '../../src/canary/render-rehearsal.ts';
import { aFolderWith } from './a-canary.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/production.md', import.meta.url)), 'utf8');

/** The blocks of the page in this language. */
function blocks(language: string): readonly string[] {
  return [...PAGE.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].flatMap(([, word, text]) =>
    word === language && text !== undefined ? [text] : [],
  );
}

test('the rollout on the page loads, and has all stages of its tier', () => {
  const [text = ''] = blocks('toml canary');
  const { plan } = readCanary('canary.toml', aFolderWith({ 'canary.toml': text }));
  expect([plan.candidate, missingStages(plan), plan.stages.length]).toEqual(['1.4.0', [], 4]);
});

test('the outcome on the page is one, and every reason is named there', () => {
  const line = blocks('json').find((text) => text.includes('"arm"')) ?? '';
  expect(readOutcome(line)).toMatchObject({ id: 'req-81', arm: 'candidate', passed: true, key: 'refund', percent: 5 });
  expect(Object.keys(REFUSALS).filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
});

test('the rehearsal on the page is what its rollout gives', async () => {
  const [text = ''] = blocks('toml canary');
  const cwd = aFolderWith({ 'canary.toml': text });
  const rehearsal = await rehearseCanary({ config: 'canary.toml', cwd, rollouts: 100, stepHours: 1 });
  const shown = blocks('text').find((block) => block.startsWith('rehearsal'));
  expect(shown).toBe(renderRehearsal(rehearsal, { columns: 100 }));
});
