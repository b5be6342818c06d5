import type { Fault, FaultType } from '../plugin/fault-type.ts';
import type { Reply } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { ERROR_CATEGORIES } from '../types/trial.ts';
import { isJsonObject, isRecord } from '../values/is-json.ts';
import { plainCopy } from '../values/plain-json.ts';
import { isTold, readModelAnswer } from './read-model-answer.ts';

/** Longest reply of a fault; models' own answers are bounded in the same way. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** A fault of a plug-in whose replies are copied as plain data and looked at; one that is no reply throws. */
export function plainFault(faultType: FaultType): FaultType {
  const { kind, type, summary } = faultType;
  return {
    kind,
    type,
    summary,
    create(config): Fault {
      const fault = faultType.create(config);
      // Code of the user can make anything; a function has an `apply` as well.
      if (!isRecord(fault) || typeof fault.apply !== 'function') {
        throw new Error('it gave no fault, which has a number `delayUs` and a function `apply`');
      }
      const { delayUs, ignoresRequest } = fault;
      if (!Number.isFinite(delayUs) || delayUs < 0) throw new Error('its delayUs must be a number of 0 or more');
      return {
        delayUs,
        ...(ignoresRequest === true && { ignoresRequest }),
        apply: (request, reply) => plainReply(fault.apply(request, reply)),
      };
    },
  };
}

function plainReply(reply: unknown): Reply {
  const copy = plainCopy(reply, { maxLength: MAX_LENGTH, leavesOutUndefined: true });
  if (!copy.ok) throw new Error(`it gave a reply that is not JSON: ${copy.reason}`);
  const checked = readReply(copy.value);
  if (checked === null) {
    throw new Error(
      "it must give { kind: 'model', parts, finish, usage } or { kind: 'error', category, message, denied }",
    );
  }
  return checked;
}

function readReply(reply: Json): Reply | null {
  if (!isJsonObject(reply)) return null;
  const { kind, parts = null, category, message, denied = false, usage = null } = reply;
  if (kind === 'model') return readModelAnswer({ ...reply, parts });
  const errorCategory = ERROR_CATEGORIES.find((word) => word === category);
  if (kind !== 'error' || errorCategory === undefined || typeof message !== 'string') return null;
  return { kind, category: errorCategory, message, denied: denied === true, ...(isTold(usage) && { usage }) };
}
