import { checksSchema, prefersSchema } from '../../scenario/expected-schema.ts';
import { trialFaithful } from '../../checks/faithful/faithful.schema.ts';
import { originKeys } from '../../scenario/origin-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { ERROR_POLICIES } from '../../types/recording.ts';
import { oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { invariantSchema } from '../contract/contract-schema.ts';
import { goldKeys } from '../gold-keys.ts';

const maybe = Type.Optional;

/** A file with a table `[recording]`. */
export const recordingFileSchema = strictTable(
  {
    name: text('Name in reports; of several sets the beginning of their names.'),
    description: maybe(text('What it is about.')),
    tags: maybe(texts('Labels for --tag.')),
    ...originKeys,
    min_pass_rate: maybe(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The pass rate that is needed; left out: every run must pass.',
      }),
    ),
    recording: strictTable(
      {
        files: texts('Files and folders with recorded runs, from the folder of this file.'),
        format: maybe(text('The format of the files; left out: what stands in them tells.')),
        map: maybe(Type.Record(Type.String(), Type.String(), { description: 'What the format leaves open, by name.' })),
        scorer: maybe(text('The score that decides; left out: the first.')),
        pass_score: maybe(
          Type.Number({ minimum: 0, description: 'A score of at least this means success; default 1.' }),
        ),
        errors: maybe(oneOf(ERROR_POLICIES, 'What errors of the harness count as; default `fail`.')),
        verdict: maybe(
          oneOf(['source', 'own'], "Whose verdict counts besides the rules: `source` (the default), or nobody's."),
        ),
        gold: maybe(
          strictTable(goldKeys, 'Compares the calls of each run with those that the source holds to be right.'),
        ),
        faithful: maybe(trialFaithful),
        similarity: maybe(text("The plug-in that compares texts; left out: passk's own method.")),
        checks: maybe(checksSchema),
        judges: maybe(texts('Judges of the configuration that must find their criteria met.')),
        prefers: maybe(prefersSchema),
        invariants: maybe(Type.Array(invariantSchema, { description: 'Rules that each run must obey.' })),
      },
      'Runs that other programs recorded.',
    ),
  },
  'Recorded runs, with bars and rules laid over them.',
);
