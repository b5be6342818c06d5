import { readFileSync } from 'node:fs';

const TEXT = readFileSync('docs/compatibility.md', 'utf8');

/** The rows of the tables below the headings that begin so, cell by cell. */
export function rowsBelow(heading: string): readonly (readonly string[])[] {
  return TEXT.split(/^## /m)
    .filter((section) => section.startsWith(heading))
    .flatMap((section) => section.split('\n').filter((line) => line.startsWith('| ')))
    .map((line) => line.slice(2).replace(/ ?\|$/, '').split(' | '))
    .filter(
      ([first = '', second = '']) =>
        !/^-+$/.test(first) && !['agentd-conformance', 'when'].includes(first) && second !== '',
    );
}

/** The text inside a cell's code marks. */
export function codeIn(cell: string): string {
  return /^(`+)(.*)\1$/.exec(cell.trim())?.[2]?.replace(/^ (?=`)|(?<=`) $/g, '') ?? '';
}
