import { Type } from '../../source/schema-type.ts';
import { VERBOSITIES } from '../../types/sessions/session-user.ts';
import { flag, mapOf, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** A chance or a share. */
function share(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description });
}

const userTurn = strictTable(
  {
    says: maybe(text('What it answers; left out: nothing.')),
    repeat: maybe(flag('Whether it is given again and again.')),
    variants: maybe(
      Type.Array(
        strictTable(
          {
            says: maybe(text('What it answers; left out: nothing.')),
            weight: maybe(
              Type.Number({ exclusiveMinimum: 0, description: 'Relative chance of being drawn; default 1.' }),
            ),
          },
          'One of several answers that a turn may give.',
        ),
        { minItems: 1, description: 'The answers one is drawn from; replaces says.' },
      ),
    ),
  },
  "A canned answer of the user's model.",
);

const facts = Type.Union(
  [
    Type.String(),
    strictTable(
      {
        value: text('What it is.'),
        asked: maybe(texts('Patterns of messages that ask for it (RE2 syntax); left out: its name.')),
        says: maybe(text('What the user says, with the marker `{{value}}`.')),
      },
      'Something that the user knows.',
    ),
  ],
  { description: 'A value, or {value = …, asked = …, says = …}.' },
);

/** The user of a task: a script, or with `model` a persona card. */
export const userSchema = strictTable(
  {
    opening: maybe(text('What the user says first; a script needs it, and a model finds words of its own.')),
    goal: maybe(text('What the user wants: told to a model, and to people who read the file.')),
    model: maybe(
      text('A model plays the user: its name in [models] or --model. The keys of a script are for no model.'),
    ),
    who: maybe(text('Of a model: who the user is.')),
    hidden: maybe(texts('Of a model: values that the user must never say, because nobody told them.')),
    manner: maybe(mapOf(Type.String(), 'Of a model: how the user talks, such as `tone` and `language`.')),
    done_when: maybe(text('Of a model: when the user is done, in words.')),
    turns: maybe(
      Type.Array(userTurn, { description: 'Of a model: what it answers in runs without --live, message by message.' }),
    ),
    known: maybe(mapOf(facts, 'What the user knows and says when asked for it, by name.')),
    unknown: maybe(
      texts('What the user does not know: of a script patterns of questions (RE2 syntax), of a model words.'),
    ),
    replies: maybe(
      Type.Array(
        strictTable(
          {
            when: text('Pattern of a message of the agent (RE2 syntax).'),
            says: text('What the user says to it.'),
            times: maybe(Type.Integer({ minimum: 1, description: 'How often at most; default 1.' })),
          },
          'An answer of the user.',
        ),
        { description: 'Answers to what the agent says.' },
      ),
    ),
    changes: maybe(
      Type.Array(
        strictTable(
          {
            after: maybe(Type.Integer({ minimum: 1, description: 'Messages of the agent before it; default 1.' })),
            chance: maybe(share('How likely it is; default 1.')),
            says: text('What the user says then.'),
            known: maybe(mapOf(Type.String(), 'What the user knows from then on, by name.')),
          },
          'A change of mind.',
        ),
        { description: 'Changes of mind, each at most once.' },
      ),
    ),
    ends: maybe(
      texts('Patterns of messages after which the user is done (RE2 syntax); left out: one that asks nothing.'),
    ),
    verbosity: maybe(oneOf(VERBOSITIES, 'How much the user talks; default `standard`.')),
    typos: maybe(share('Share of words that are mistyped; default 0.')),
    patience: maybe(
      Type.Integer({ minimum: 1, description: 'Messages without an answer after which the user gives up; default 3.' }),
    ),
  },
  'The user, who follows this script or is played by a model.',
);
