import { displayWidth } from '../../text/display-width.ts';
import type { TextStyle } from './text-style.ts';

/**
 * A command to copy, after `first`. A command that is too long for one line goes on after a backslash, as a shell takes it.
 * Words are never cut, so a very long path may be wider than the line.
 */
export function commandLines(first: string, command: string, style: TextStyle): readonly string[] {
  const indent = ' '.repeat(displayWidth(first));
  const lines: string[] = [];
  let line = first;
  for (const word of withValues(shellWords(command))) {
    const isEmpty = line === first || line === indent;
    // Two columns are kept for the backslash.
    if (!isEmpty && displayWidth(line) + 1 + displayWidth(word) > style.columns - 2) {
      lines.push(`${line} \\`);
      line = `${indent}${word}`;
      continue;
    }
    line = isEmpty ? line + word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Options and their values stay together. */
function withValues(words: readonly string[]): readonly string[] {
  const units: string[] = [];
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    if (before?.startsWith('--') && !word.startsWith('-')) units.push(`${units.pop() ?? ''} ${word}`);
    else units.push(word);
  }
  return units;
}

/** Words with their quotes: a blank inside quotes or after a backslash does not end a word. */
function shellWords(command: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (let i = 0; i < command.length; i++) {
    const unit = command.charAt(i);
    if (unit === ' ' && quote === '') {
      if (word !== '') words.push(word);
      word = '';
      continue;
    }
    if (unit === '\\' && quote !== "'") {
      word += unit + command.charAt(++i);
      continue;
    }
    if (quote === '' && (unit === "'" || unit === '"')) quote = unit;
    else if (unit === quote) quote = '';
    word += unit;
  }
  return word === '' ? words : [...words, word];
}
