import type { HtmlFigures, HtmlListing, HtmlNames, HtmlPanel } from './html-model.ts';
import { htmlText } from './html-scenario.ts';
import type { Figures, Listing, ListingRow, Names, Panel, PanelBlock } from '../sections/panel.ts';

const MOST = { rows: 200, names: 100, notes: 20 } as const;
const LONGEST_NAME = 120;

/** A panel as the page shows it. */
export function htmlPanel({ title, mark, headline, blocks }: Panel): HtmlPanel {
  // The mark says it already, and other reports show none.
  const isDouble = mark !== null && headline[0] === mark.name;
  return { title, mark, headline: isDouble ? headline.slice(1) : headline, blocks: blocks.map(htmlBlock) };
}

function htmlBlock(block: PanelBlock): HtmlPanel['blocks'][number] {
  switch (block.type) {
    case 'listing':
      return htmlListing(block);
    case 'figures':
      return htmlFigures(block);
    case 'names':
      return htmlNames(block);
    case 'beside':
      return { ...block, about: htmlRow(block.about) };
    case 'notes':
      return { ...block, sentences: block.sentences.slice(0, MOST.notes) };
  }
}

function htmlListing({ corner, headers, groups }: Listing): HtmlListing {
  const rows = groups.flat();
  return {
    type: 'listing',
    corner,
    headers,
    rows: rows.slice(0, MOST.rows).map(htmlRow),
    more: Math.max(0, rows.length - MOST.rows),
  };
}

function htmlRow({ mark, name, parts, lines, trial }: ListingRow): HtmlListing['rows'][number] {
  return [mark, htmlText(name, LONGEST_NAME), parts, lines, trial ?? null];
}

function htmlFigures({ corners, headers, namesHeaders = false, rows, chart }: Figures): HtmlFigures {
  return {
    type: 'figures',
    corners,
    headers: namesHeaders ? headers.map((name) => htmlText(name, LONGEST_NAME)) : headers,
    rows: rows
      .slice(0, MOST.rows)
      .map(({ names: [one, other], cells }) => [htmlText(one, LONGEST_NAME), htmlText(other, LONGEST_NAME), cells]),
    more: Math.max(0, rows.length - MOST.rows),
    ...(chart !== undefined && { chart }),
  };
}

function htmlNames({ mark, names }: Names): HtmlNames {
  return {
    type: 'names',
    word: mark.name,
    names: names.slice(0, MOST.names).map((name) => htmlText(name, LONGEST_NAME)),
  };
}
