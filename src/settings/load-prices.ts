import path from 'node:path';
import { readPrices } from '../baseline/price-table.ts';
import { PasskError } from '../errors.ts';
import { readSource } from '../source/source-file.ts';
import type { PriceTable } from '../types/reports/forecast.ts';

/** Reads the `[prices]` table of a TOML file; relative paths start from `cwd`. Rejects with `INPUT` and all problems. */
export async function loadPrices(file: string, cwd: string = process.cwd()): Promise<PriceTable> {
  const root = path.resolve(cwd);
  const read = readSource(path.resolve(root, file), { root });
  if (read.ok) return readPrices(read.source);
  const { issues } = read;
  throw new PasskError('INPUT', issues.map(({ message }) => message).join(' '), {
    hint: 'Name a TOML file with [prices].',
  });
}
