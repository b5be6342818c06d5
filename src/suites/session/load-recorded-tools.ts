import { checkJsonSchema } from '../../engine/json-schema.ts';
import type { Places } from '../../scenario/places.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { hiddenProblem } from '../../source/hidden-problem.ts';
import { parseJsonDocument } from '../../source/json-document.ts';
import { readSource } from '../../source/source-file.ts';
import { Type } from '../../source/schema-type.ts';
import type { JsonObject } from '../../types/json.ts';
import type { DeclaredTool } from '../../types/sessions/declared-world.ts';
import { RECORDED_TOOLS, type RecordedAnswer } from '../../types/sessions/recorded-tools.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues } from '../../workflow/report.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';
import type { LoadedWorld } from './loaded-world.ts';

const maybe = Type.Optional;
const object = (description: string) => Type.Object({}, { additionalProperties: true, description });

const toolName = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

const recordedToolsSchema = strictTable(
  {
    schema: Type.Literal(RECORDED_TOOLS, { description: 'The format.' }),
    tools: Type.Array(
      strictTable(
        {
          name: toolName('What the agent calls it by.'),
          description: maybe(text('What it does, for the agent.')),
          parameters: maybe(object('JSON Schema of its arguments, for the agent.')),
          read_only: maybe(Type.Boolean({ description: 'Whether it changes nothing; left out: it may write.' })),
        },
        'A tool.',
      ),
      { description: 'The tools that the agent has.' },
    ),
    answers: Type.Array(
      strictTable(
        {
          tool: toolName('The tool.'),
          args: object('The arguments.'),
          result: maybe(Type.Unknown({ description: 'What it gave.' })),
          problem: maybe(text('What went wrong, in place of a result.')),
        },
        'What a call was answered.',
      ),
      { description: 'What calls were answered, in their order.' },
    ),
  },
  'Answers of tools as they were recorded.',
);

/** The world of a file of recorded answers: what calls were answered, and nothing else. */
export function loadRecordedTools(path: string, places: Places): LoadedWorld {
  const found = readSource(path, places);
  if (!found.ok) return { world: null, issues: found.issues };
  const parsed = parseJsonDocument(found.source);
  if (!parsed.ok) return { world: null, issues: [hiddenProblem(found.source, 'valid JSON', parsed.issues)] };
  const { document } = parsed;
  const { data } = document;
  if (valueAt(data, 'schema') !== RECORDED_TOOLS) {
    return { world: null, issues: [hiddenProblem(found.source, 'a file of recorded answers of tools')] };
  }
  const wrong = checkSchema(document, [], recordedToolsSchema);
  if (wrong.length > 0) return { world: null, issues: wrong };
  const tools = tablesAt(data, 'tools').map(({ table }) => toolIn(table));
  const issues = collectIssues(document.locate, (report) => {
    for (const [index, { name, parameters }] of tools.entries()) {
      if (tools.findIndex((one) => one.name === name) < index) {
        report({
          code: 'duplicate_name',
          message: `There is another tool "${name}".`,
          at: ['tools', index, 'name'],
        });
      }
      for (const problem of checkJsonSchema(parameters)) {
        report({
          code: 'bad_json_schema',
          message: `This JSON Schema is wrong: ${problem}.`,
          at: ['tools', index, 'parameters'],
          hint: 'Agents are told it; nothing is held to it.',
        });
      }
    }
  });
  if (issues.length > 0) return { world: null, issues };
  return {
    world: { state: {}, tools, recorded: tablesAt(data, 'answers').map(({ table }) => answerIn(table)) },
    issues,
  };
}

function toolIn(table: JsonObject): DeclaredTool {
  return {
    name: textAt(table, 'name') ?? '',
    description: textAt(table, 'description') ?? '',
    parameters: { type: 'object', ...tableAt(table, 'parameters') },
    steps: [],
    ...(valueAt(table, 'read_only') === true && { readsOnly: true }),
  };
}

function answerIn(table: JsonObject): RecordedAnswer {
  const problem = textAt(table, 'problem') ?? null;
  return {
    tool: textAt(table, 'tool') ?? '',
    args: tableAt(table, 'args'),
    result: problem === null ? (valueAt(table, 'result') ?? null) : null,
    problem,
  };
}
