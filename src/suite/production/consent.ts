import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { readSource } from '../../source/source-file.ts';
import { Type } from '../../source/schema-type.ts';
import { parseToml } from '../../source/toml-document.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Origin } from '../../types/release/origin.ts';
import type { TrialRecord } from '../../types/record.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';

/** The policy by which traces may be kept, and how a trace shows that it is one of them. */
export interface ConsentPolicy {
  readonly consent: NonNullable<Origin['consent']>;
  /** The field of a trace that says so, and the words for it; null: the policy covers every trace. */
  readonly shown: { readonly attribute: string; readonly values: readonly string[] } | null;
}

const text = (description: string) => Type.String({ minLength: 1, description });

const consentSchema = Type.Object(
  {
    consent: Type.Object(
      {
        policy: text('The policy by which traces may be kept.'),
        basis: text('Why that policy allows it.'),
        at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Since when. A day, such as 2026-11-25.' }),
        covers: Type.Optional(
          Type.Literal('every trace', { description: 'In place of `attribute`: no trace has to show it.' }),
        ),
        attribute: Type.Optional(text('The attribute or field of a trace that says that it may be kept.')),
        values: Type.Optional(Type.Array(Type.String(), { description: 'Values of it that say so; left out: true.' })),
      },
      { additionalProperties: false, description: 'The policy.' },
    ),
  },
  { additionalProperties: false, description: 'By which policy traces may be kept.' },
);

/** Reads a policy. Throws `INPUT` with all that is wrong with the file. */
export function readConsent(file: string, cwd: string): ConsentPolicy {
  const found = readSource(path.resolve(cwd, file), { root: path.resolve(cwd) });
  if (!found.ok) throw new PasskError('INPUT', `${file} cannot be read.`, { issues: found.issues });
  const parsed = parseToml(found.source);
  if (!parsed.ok) throw new PasskError('INPUT', `${file} is no valid TOML.`, { issues: parsed.issues });
  const { document } = parsed;
  const issues = checkSchema(document, [], consentSchema);
  const { consent: table } = document.data;
  const attribute = textAt(table, 'attribute');
  if (issues.length === 0 && (attribute === null) !== (textAt(table, 'covers') !== null)) {
    issues.push({
      code: 'missing_key',
      severity: 'error',
      message: 'The policy must say which traces it covers: by "attribute", or covers = "every trace".',
      at: document.locate(['consent'], 'key'),
    });
  }
  if (issues.length > 0) throw new PasskError('INPUT', `${file} is no policy of consent.`, { issues });
  const values = listAt(table, 'values').map(String);
  return {
    consent: {
      policy: textAt(table, 'policy') ?? '',
      basis: textAt(table, 'basis') ?? '',
      at: textAt(table, 'at') ?? '',
    },
    shown: attribute === null ? null : { attribute, values: values.length === 0 ? ['true'] : values },
  };
}

/** True: the trace shows that the policy covers it. */
export function isConsented({ recording }: TrialRecord, { shown }: ConsentPolicy): boolean {
  if (shown === null) return true;
  const { attribute, values } = shown;
  const extra: JsonObject = recording?.extra ?? {};
  const places = [extra['attributes'], extra['resource'], extra['metadata'], extra];
  const found = places
    .map((place) => fieldAt(place, attribute) ?? fieldAt(place, ...attribute.split('.')))
    .find((value) => value !== undefined && value !== null);
  return values.includes(String(found));
}
