import { padEnd } from '../text/display-width.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { finishedText } from './ascii-text.ts';
import { PLAIN_OPTIONS } from './plain-options.ts';
import { plainText } from './plain-text.ts';
import { type Role, type TextStyle, textStyle } from './text/text-style.ts';
import { hangPainted, hangText } from './text/wrap-text.ts';

/** Columns of the labels of most pages. */
export const LABEL_COLUMNS = 14;

export interface LabelOptions {
  /** Columns of the label; default `LABEL_COLUMNS`. */
  readonly label?: number;
  /** Stands before the label. */
  readonly indent?: string;
  /** Columns of the text, which is shortened to them; absent: it is shown whole. */
  readonly longest?: number;
  /** How the label is painted; absent: it is not. */
  readonly role?: Role;
}

/** A text for people, as wide and as plain as `options` say. */
export function textPage(options: Partial<RenderOptions>, linesOf: (style: TextStyle) => readonly string[]): string {
  const filled = { ...PLAIN_OPTIONS, ...options };
  return finishedText(`${linesOf(textStyle(filled)).join('\n')}\n`, filled.unicode);
}

/** A label, and beside it a text from anywhere, whose further lines hang below its first. */
export function labelRow(
  name: string,
  text: string,
  style: TextStyle,
  { label = LABEL_COLUMNS, indent = '', longest, role }: LabelOptions = {},
): readonly string[] {
  const head = indent + padEnd(name, label);
  const plain = plainText(text, longest);
  return role === undefined ? hangText(head, plain, style.columns) : hangPainted(head, plain, { role, style });
}
