import { Type } from '../source/schema-type.ts';
import { ASI_IDS, ATTACK_CHANNELS, SOURCE_KINDS, SUITE_NAMES } from '../types/release/origin.ts';
import { count, oneOf, strictTable, text } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Days that there are: months of 31 and of 30 days, February, and its last day in leap years. */
export const DAY_PATTERN =
  '^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)' +
  '|02-(?:0[1-9]|1\\d|2[0-8]))' +
  '|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$';

/** A day, as a text writes it. */
function day(description: string) {
  return Type.String({ pattern: DAY_PATTERN, description: `${description} A day, such as 2026-11-25.` });
}

/** The keys by which a file says where a scenario comes from and what it is for. */
export const originKeys = {
  suite: maybe(oneOf(SUITE_NAMES, 'The part of the test material that it belongs to; releases ask for it.')),
  provenance: maybe(
    strictTable(
      {
        source: maybe(
          strictTable(
            {
              kind: oneOf(SOURCE_KINDS, 'Whether it was written, recorded, made by a generator, or taken over.'),
              trace_id: maybe(text('Of a trace: its id where it was recorded.')),
              reference: maybe(text('A name by which the source can be found.')),
              licence: maybe(text('The licence of what was taken over.')),
            },
            'Where it comes from.',
          ),
        ),
        review: maybe(
          strictTable(
            {
              by: text('Who looked at it.'),
              at: day('When.'),
              release: text('The release for which it was looked at.'),
            },
            'Who looked at it last.',
          ),
        ),
        consent: maybe(
          strictTable(
            {
              policy: text('The policy by which it may be used.'),
              basis: text('Why that policy allows it.'),
              at: day('Since when.'),
            },
            'Why a trace may be used.',
          ),
        ),
        scrub: maybe(
          strictTable(
            { at: day('When.'), removed: count('How many pieces of personal data were taken out.') },
            'That personal data was taken out of a trace.',
          ),
        ),
        refreshed: maybe(day('When it was last renewed.')),
        family: maybe(text('Scenarios of one family are alike, such as paraphrases of one task.')),
      },
      'Where the scenario comes from, and who answers for it.',
    ),
  ),
  attack: maybe(
    strictTable(
      {
        owasp: Type.Array(oneOf(ASI_IDS, 'A category of the OWASP Top 10 for Agentic Applications.'), {
          minItems: 1,
          description: 'What is tried, as categories of the OWASP Top 10 for Agentic Applications.',
        }),
        channel: maybe(oneOf(ATTACK_CHANNELS, 'How what the attacker says reaches the subject.')),
      },
      'What is tried against the subject. A trial that passes has resisted.',
    ),
  ),
};
