import { ImportError, type ImportedCall, type ImportedMessage, type ImportedRun } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { MessagePart, Role } from '../../types/message.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

/** A failing or broken trial that a report shows in full. */
export function readKeptTrial(task: string, failure: JsonObject): ImportedRun {
  const trial = countAt(failure, 'trial');
  if (trial === null) throw new ImportError('It has no number.');
  const isBroken = textAt(failure, 'verdict') === 'broken';
  const findings = listAt(failure, 'findings');
  const why = findings.flatMap((finding) => textAt(finding, 'message') ?? textAt(finding, 'check') ?? []).join('\n');
  const record = fieldAt(failure, 'record');
  const { record: _, trace: __, ...rest } = failure;
  return {
    task,
    id: `trial ${trial}`,
    scores: isBroken ? [] : [{ name: 'passk', value: false, ...(why !== '' && { explanation: why }) }],
    ...(isBroken && { error: textAt(failure, 'brokenBy') || 'The report does not say why it is broken.' }),
    ...(record != null && { messages: messagesOf(record), ...callsOf(record) }),
    extra: rest,
    unsaid: {
      usage: 'a report has the tokens of all trials together',
      cost: 'a report has the costs of all trials together',
      ...(record == null && { messages: 'the report keeps no record of this trial' }),
    },
  };
}

function messagesOf(record: unknown): readonly ImportedMessage[] {
  return listAt(record, 'turns').flatMap((turn) => {
    const role = ROLES.find((one) => one === textAt(turn, 'role'));
    if (role === undefined) return [];
    const answer = fieldAt(turn, 'answer');
    const [model, problem, latencyMs] = [
      textAt(answer, 'model'),
      textAt(answer, 'problem'),
      numberAt(answer, 'latencyMs'),
    ];
    return [
      {
        role,
        parts: listAt(turn, 'parts').filter(isPart),
        ...(model !== null && { model }),
        ...(problem !== null && { problem }),
        ...(latencyMs !== null && latencyMs >= 0 && { latencyMs }),
      },
    ];
  });
}

/** The texts that a part of each kind has. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  media: ['url'],
  tool_call: ['id', 'name'],
  tool_result: ['id', 'name'],
};

function isPart(part: unknown): part is MessagePart {
  const texts = PARTS[textAt(part, 'kind') ?? ''];
  return texts?.every((key) => textAt(part, key) !== null) === true;
}

function callsOf(record: unknown): { readonly calls?: readonly ImportedCall[] } {
  if (!Array.isArray(fieldAt(record, 'calls'))) return {};
  return {
    calls: listAt(record, 'calls').map((call) => {
      const [name] = listAt(call, 'names').filter((one) => typeof one === 'string');
      const [by, problem, result] = [
        textAt(call, 'by') ?? '',
        textAt(call, 'problem'),
        fieldAt(call, 'result') ?? null,
      ];
      return {
        name: name ?? '',
        ...(by !== '' && { by }),
        args: (fieldAt(call, 'args') ?? null) as Json,
        ...(result !== null && { result: result as Json }),
        ...(problem !== null && { problem }),
      };
    }),
  };
}
