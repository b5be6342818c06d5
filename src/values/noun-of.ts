import type { ResultBase } from '../types/suite-base.ts';

/** What a result is called in sentences: its kind, or the word of the plug-in that brings it. */
export function nounOf(one: Pick<ResultBase, 'kind'> & { readonly type?: string }): string {
  return one.kind === 'plugin' && one.type !== undefined ? one.type : one.kind;
}
