import { PasskError } from '../../errors.ts';
import { PRICE_INPUTS } from '../../types/release/price-report.ts';
import type { InputRanges } from './tornado.ts';

/** Ranges as words have them: `cache_share=0:0.9`. Throws `USAGE`. */
export function parseRanges(words: readonly string[]): InputRanges {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = '', low = '', high = ''] = /^([a-z_]+)=(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(word) ?? [];
      const input = PRICE_INPUTS.find((one) => one === name);
      if (input !== undefined) return [input, [Number(low), Number(high)]];
      throw new PasskError('USAGE', `"${word}" is no range.`, {
        hint: `Write input=low:high, such as cache_share=0:0.9, of ${PRICE_INPUTS.join(', ')}.`,
      });
    }),
  );
}
