import { PasskError } from '../errors.ts';
import { checkSchema } from '../source/check-schema.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { SourceFile } from '../source/source-file.ts';
import { parseToml } from '../source/toml-document.ts';
import type { PriceTable } from '../types/reports/forecast.ts';
import type { Issue } from '../types/issue.ts';
import { isPrice, PRICE_NAMES } from './are-prices.ts';
import { pricesSchema } from './price-table.schema.ts';

/** Reads the `[prices]` table of a TOML file; other tables are left alone. Throws `INPUT` with all problems. */
export function readPrices(source: SourceFile): PriceTable {
  const parsed = parseToml(source);
  if (!parsed.ok) throw unreadable(source.name, parsed.issues);
  const { document } = parsed;
  const issues = checkSchema(document, ['prices'], pricesSchema);
  if (issues.length > 0) throw unreadable(source.name, issues);
  // As the schema has just said.
  return document.data.prices as unknown as PriceTable;
}

/** Reads prices as a flag has them: `input=3,output=15,cached=0.3,batch=1.5`. Throws `USAGE`. */
export function parsePrices(text: string): PriceTable {
  const found = new Map<string, number>();
  for (const part of text.split(',')) {
    const [name = '', number = '', ...rest] = part.split('=').map((word) => word.trim());
    if (!PRICE_NAMES.some((other) => other === name)) {
      const hint = hintFor(name, PRICE_NAMES, 'prices');
      throw wrong(`There is no price "${name}".`, hint);
    }
    const price = Number(number);
    if (rest.length > 0 || !/^[\d.]/.test(number) || !isPrice(price)) {
      throw wrong(`The price "${part.trim()}" is not a number from 0.`, SHAPE);
    }
    if (found.has(name)) throw wrong(`The price "${name}" is given twice.`, SHAPE);
    found.set(name, price);
  }
  const [input, output, cached, batch] = PRICE_NAMES.map((name) => found.get(name));
  if (input === undefined || output === undefined) {
    throw wrong(`Prices need input and output; ${input === undefined ? 'input' : 'output'} is missing.`, SHAPE);
  }
  return { input, output, ...(cached !== undefined && { cached }), ...(batch !== undefined && { batch }) };
}

const SHAPE = 'Write USD per million tokens: input=3,output=15,cached=0.3,batch=1.5.';

function wrong(message: string, hint: string | undefined): PasskError {
  return new PasskError('USAGE', message, { hint: hint ?? SHAPE });
}

function unreadable(name: string, issues: readonly Issue[]): PasskError {
  return new PasskError('INPUT', `The prices in ${name} cannot be used.`, {
    issues,
    hint: 'Write [prices] with input and output, and if you like cached and batch, in USD per million tokens.',
  });
}
