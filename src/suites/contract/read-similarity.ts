import { lexicalSimilarity } from '../../checks/invariants/text-similarity.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import type { Contract } from '../../types/contract.ts';
import type { JsonObject } from '../../types/json.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { Reading } from './reading.ts';

const OWN = lexicalSimilarity.type;

/** What the contract compares texts with; {}: passk's own method. What nobody brings is reported. */
export function readSimilarity(
  contract: JsonObject,
  { plugins: { similarities = [OWN] }, report }: Reading,
): Pick<Contract, 'similarity'> {
  const written = textAt(contract, 'similarity');
  if (written === undefined || written === OWN) return {};
  if (similarities.includes(written)) return { similarity: written };
  const meant = didYouMean(written, similarities);
  report({
    code: 'unknown_similarity',
    message: `There is no similarity "${written}".`,
    at: ['contract', 'similarity'],
    hint:
      meant === null
        ? `Name the module of its plug-in with --plugin. There ${similarities.length === 1 ? 'is' : 'are'} ${similarities.join(', ')}.`
        : `Did you mean "${meant}"?`,
  });
  return {};
}
