import type { JsonObject } from '../types/json.ts';
import { ASI_IDS, ATTACK_CHANNELS, type Origin, SOURCE_KINDS, SUITE_NAMES } from '../types/release/origin.ts';
import { numberAt, tableAt, textAt, textsAt } from '../workflow/raw-data.ts';

/** What the file says of where the scenario comes from; null: nothing. `data` must fit the schema of `originKeys`. */
export function readOrigin(data: JsonObject): Origin | null {
  const provenance = tableAt(data, 'provenance');
  const suite = SUITE_NAMES.find((name) => name === textAt(data, 'suite'));
  const [refreshed, family] = [textAt(provenance, 'refreshed'), textAt(provenance, 'family')];
  const origin = {
    ...(suite !== undefined && { suite }),
    ...sourceIn(tableAt(provenance, 'source')),
    ...reviewIn(tableAt(provenance, 'review')),
    ...consentIn(tableAt(provenance, 'consent')),
    ...scrubIn(tableAt(provenance, 'scrub')),
    ...(refreshed !== undefined && { refreshed }),
    ...(family !== undefined && { family }),
    ...attackIn(tableAt(data, 'attack')),
  };
  return Object.keys(origin).length === 0 ? null : origin;
}

function sourceIn(table: JsonObject): Pick<Origin, 'source'> {
  const kind = SOURCE_KINDS.find((word) => word === textAt(table, 'kind'));
  if (kind === undefined) return {};
  const [traceId, reference, licence] = [
    textAt(table, 'trace_id'),
    textAt(table, 'reference'),
    textAt(table, 'licence'),
  ];
  return {
    source: {
      kind,
      ...(traceId !== undefined && { traceId }),
      ...(reference !== undefined && { reference }),
      ...(licence !== undefined && { licence }),
    },
  };
}

function reviewIn(table: JsonObject): Pick<Origin, 'review'> {
  const [by, at, release] = [textAt(table, 'by'), textAt(table, 'at'), textAt(table, 'release')];
  return by === undefined || at === undefined || release === undefined ? {} : { review: { by, at, release } };
}

function consentIn(table: JsonObject): Pick<Origin, 'consent'> {
  const [policy, basis, at] = [textAt(table, 'policy'), textAt(table, 'basis'), textAt(table, 'at')];
  return policy === undefined || basis === undefined || at === undefined ? {} : { consent: { policy, basis, at } };
}

function scrubIn(table: JsonObject): Pick<Origin, 'scrub'> {
  const [at, removed] = [textAt(table, 'at'), numberAt(table, 'removed')];
  return at === undefined || removed === undefined ? {} : { scrub: { at, removed } };
}

function attackIn(table: JsonObject): Pick<Origin, 'attack'> {
  const words = new Set(textsAt(table, 'owasp'));
  if (words.size === 0) return {};
  const channel = ATTACK_CHANNELS.find((word) => word === textAt(table, 'channel'));
  return { attack: { owasp: ASI_IDS.filter((id) => words.has(id)), ...(channel !== undefined && { channel }) } };
}
