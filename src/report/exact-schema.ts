import type { JsonObject } from '../types/json.ts';
import { COUNTERS } from '../types/scenario.ts';
import { STATUSES } from '../types/trial.ts';
import { count, fraction, list, measure, nullable, object, record, strings, text } from './schema-parts.ts';

const served: JsonObject = object({
  turn: text(),
  occurrence: count('How often the turn had been served before in the trial.'),
  variant: count("Position among the turn's variants."),
});

const failing: JsonObject = object({
  answers: list(served, 'In the order given; []: every trial fails.'),
  chance: fraction(),
  leaves: count('Leaves that begin so.'),
  checks: strings('Checks that fail in some of them.'),
  leaf: count('The lowest of them, for passk trace --sampler exhaustive --trial.'),
});

/** What enumerating a scenario's answers gave. */
export const exactSchema: JsonObject = {
  ...object({
    leaves: count('Sequences of answers that a trial can get.'),
    passRate: fraction('The chance that a trial passes, for the shares of the sampler: whole parts of 2^32.'),
    passRateFraction: nullable(text('The same in lowest terms, such as 7/8; null where it is long.')),
    brokenRate: fraction('The chance that the harness fails in a trial.'),
    passHatK: list(object({ k: count(), value: fraction() }), 'The chance that k independent trials all pass.'),
    costPerSuccess: nullable(measure('Expected tokens of a trial over the chance that it passes.')),
    callsPerSuccess: nullable(measure('Expected model calls of a trial over the chance that it passes.')),
    counters: record(COUNTERS, 'Expected per trial.'),
    statuses: record(STATUSES, 'The chance of each ending.'),
    checks: list(object({ check: text(), chance: fraction() }), 'The chance that each check fails, likeliest first.'),
    failing: list(failing, 'Minimal sequences of answers after which every trial fails, likeliest first; at most 20.'),
    failingSequences: count('All of them.'),
  }),
  description: 'What enumerating its answers gave; what is measured on trials is null then.',
};
