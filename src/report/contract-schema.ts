import { FAULT_KINDS } from '../types/chaos.ts';
import { SEVERITIES, WHENS } from '../types/invariant.ts';
import type { JsonObject } from '../types/json.ts';
import { count, fraction, list, nullable, object, oneOf, strings, text } from './schema-parts.ts';

const phase = oneOf('contract', 'chaos', 'prompts');

const fault = {
  fault: text('What is declared, in short.'),
  kind: oneOf(...FAULT_KINDS),
  fired: count('How often it fired, over all trials.'),
  trials: count('Trials in which it fired.'),
};
const unread: JsonObject = { const: true, description: 'Nothing reads what it does, so that it proves nothing.' };

/** Declared faults with how often each fired. */
export const firedFaults: JsonObject = list(
  object({ ...fault, unread }, ['unread']),
  'Every fault declared around the subject.',
);

const contractFaults = list(
  object(
    {
      ...fault,
      detail: text('What it does: a status, a number of words, a payload, a chance.'),
      where: nullable(text('Where it can strike this subject; null: nowhere.')),
      unread,
    },
    ['unread'],
  ),
  'Every fault declared around the subject.',
);

const example = {
  prompt: text(),
  trial: count('Counts from 0.'),
  answer: nullable(text('null: there was none.')),
  fired: strings('Faults that fired in this trial.'),
  replay: nullable(text('The command that repeats it; null: it cannot be repeated.')),
};

const evidence = object({ ...example, message: text('What did not hold.') });

const cellFields = {
  invariant: text(),
  column: text(),
  state: {
    ...oneOf('passed', 'failed', 'not_applicable', 'inconclusive', 'broken'),
    description:
      'inconclusive: nothing failed, but what is declared never struck, or nobody could tell whether the rule was obeyed. broken: passk could not judge.',
  },
  judged: count('Trials in which the rule was judged, over all prompts: a rule about faults only where one struck.'),
  obeyed: count('Of these.'),
  struck: nullable(count('Judged trials that a fault struck; null: nothing is declared to go wrong.')),
  obeyedStruck: nullable(count('Of these.')),
  interval: nullable({
    ...list(fraction(), '95 %: Wilson score interval, of struck trials where there are any; null for fewer than two.'),
    minItems: 2,
    maxItems: 2,
  }),
  why: nullable(text('One line; null: nothing to say.')),
  evidence: nullable({ ...evidence, description: 'The lowest trial that disobeyed; null: none did.' }),
  example: {
    ...object(example),
    description: 'A trial that obeyed, of a cell in which all did; absent: none was kept, and none can be run again.',
  },
};

const cell = object(cellFields, ['example']);

/** A contract with its matrix. */
export const contractSchema: JsonObject = object({
  name: text(),
  file: text('Relative to the root of the suite, with `/`.'),
  description: nullable(text()),
  phase,
  verdict: {
    ...oneOf('passed', 'failed', 'insufficient'),
    description: 'insufficient: nothing was judged, or a critical cell is inconclusive.',
  },
  reasons: strings('Sentences; [] when it passed.'),
  score: nullable({
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: '100 × weights of passed cells / weights of passed and failed cells; null: no cell was judged.',
  }),
  trials: count('Of each column and list of prompts.'),
  columns: list(
    object({
      name: text(),
      faults: contractFaults,
      calls: strings('Names of the calls of tools that were seen, where faults of tools are declared.'),
      broken: count('Trials that could not be judged.'),
    }),
    'Ways in which the world breaks.',
  ),
  invariants: list(
    object({
      id: text(),
      type: text('As in the file.'),
      severity: oneOf(...SEVERITIES),
      when: oneOf(...WHENS),
      negate: { type: 'boolean' },
    }),
  ),
  cells: list(cell, 'Row by row: the invariants in order, each with the columns in order.'),
  contaminated: strings('Columns whose answers may depend on what an earlier one left in the subject.'),
  similarity: nullable(text('How similarity was measured; null: it was not.')),
});

/** The scores of all phases as one number. */
export const overallSchema: JsonObject = {
  ...object({
    score: nullable(fraction('null: no phase was scored.')),
    phases: list(
      object({
        phase: oneOf('contract', 'chaos'),
        score: fraction('The mean over its contracts.'),
        weight: fraction('As the files say.'),
        share: fraction('Its weight over those of all phases that were scored.'),
      }),
    ),
    notRun: strings('What the files ask for that this command does not run.'),
  }),
  description: 'The scores of all phases as one number; absent without a contract.',
};
