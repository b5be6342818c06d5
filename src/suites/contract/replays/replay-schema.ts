import { Type } from '../../../source/schema-type.ts';
import { flag, oneOf, strictTable, text } from '../../../workflow/schema-parts.ts';

const maybe = Type.Optional;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** LangSmith marks runs by what they are filtered by. */
export const RUN_STATUSES = ['error', 'warning', 'all'] as const;

const sessionKeys = {
  id: maybe(text('What reports call it; unique in the file.')),
  name: maybe(text('What it is, in words.')),
  source: maybe(text('Where it comes from; default `manual`.')),
  captured_at: maybe(Type.Unknown({ description: 'When it was recorded.' })),
  input: maybe(text('What the subject was asked.')),
  context: maybe(Type.Unknown({ description: 'What was said before; it is not told to the subject.' })),
  tool_responses: maybe(
    Type.Array(
      strictTable(
        {
          tool: maybe(text('A name that calls of the tool go by.')),
          response: maybe(Type.Unknown({ description: 'What it answered: a text, a table, or nothing.' })),
          status: maybe(count('As HTTP has it, default 200; 0: no answer came.')),
          latency_ms: maybe(count('How long it took; default 0.')),
        },
        'What a call of a tool was answered.',
      ),
      { description: 'What calls of tools were answered, in their order; left out: tools are called.' },
    ),
  ),
  expected_failure: maybe(text('What went wrong when it was recorded.')),
  contract: maybe(text('The name of the contract of this file, or a file with one; default: that of this file.')),
};

/** A file with one session. */
export const sessionFileSchema = strictTable(sessionKeys, 'A recorded session.');

const sourceSchema = strictTable(
  {
    type: maybe(oneOf(['langsmith', 'langsmith_run'], 'All runs of a project, or one run.')),
    file: maybe(text('An export of LangSmith with its runs (JSON or JSON Lines); passk fetches none.')),
    project: maybe(text('The project, by its name or id.')),
    run_id: maybe(text('The run, by the id of its root.')),
    auto_import: maybe(flag('Whether the reference fetches runs again each time.')),
    filter: maybe(
      strictTable(
        {
          status: maybe(oneOf(RUN_STATUSES, 'Runs that failed (default), in which a tool failed, or all.')),
          date_range: maybe(text('Has no effect: a file has the runs that it has.')),
          min_latency_ms: maybe(count('Only runs that took so long.')),
        },
        'Which runs.',
      ),
    ),
  },
  'Runs of LangSmith as sessions.',
);

/** What `replays` holds. */
export const replaysSchema = strictTable(
  {
    sessions: maybe(
      Type.Array(
        strictTable({ file: maybe(text('A file with the session.')), ...sessionKeys }, 'A recorded session.'),
        {
          description: 'Recorded sessions, each in a file or written here.',
        },
      ),
    ),
    sources: maybe(Type.Array(sourceSchema, { description: 'Exports with more of them.' })),
  },
  'Recorded sessions that the contract is held to once more.',
);
