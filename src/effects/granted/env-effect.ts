import type { EnvRequest } from '../../plugin/request.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Permissions } from '../../types/permissions.ts';
import { valueAnswer } from '../answers.ts';
import type { Effect } from '../effect.ts';
import { grantsWord } from '../granted-ports.ts';

/** The real environment as it is when a worker starts; names that are not granted are not looked at. */
export function createEnvEffect(
  permissions: Permissions,
  env: Readonly<Record<string, string | undefined>>,
): Effect<EnvRequest> {
  return {
    refusal: ({ key }) =>
      grantsWord(permissions.env, key)
        ? null
        : `The variable ${visibleText(key)} needs --allow-env=${visibleText(key)}.`,
    perform: async ({ key }) => {
      const value = Object.hasOwn(env, key) ? env[key] : undefined;
      return value === undefined
        ? valueAnswer({ key, value: null, missing: true }, 'effect')
        : valueAnswer({ key, value }, 'effect');
    },
    close: async () => undefined,
  };
}
