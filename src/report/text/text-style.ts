import type { RenderOptions } from '../../types/render-options.ts';

export type Role = 'good' | 'bad' | 'warn' | 'dim' | 'strong';

/** Select Graphic Rendition codes: on and off. */
const CODES: Readonly<Record<Role, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  dim: [2, 22],
  strong: [1, 22],
};

/** How a text report looks where it is shown. */
export interface TextStyle {
  readonly columns: number;
  readonly verbose: boolean;
  readonly paint: (role: Role, text: string) => string;
}

/** The style for these options. The width is at least 40 and at most 120. */
export function textStyle({ columns, color, verbose }: RenderOptions): TextStyle {
  const width = Number.isFinite(columns) ? Math.floor(columns) : 80;
  return {
    columns: Math.min(120, Math.max(40, width)),
    verbose,
    paint: color ? paintAnsi : (_role, text) => text,
  };
}

/** The style of text inside files of other formats: 100 columns without colour. */
export function fileStyle(options: RenderOptions): TextStyle {
  return textStyle({ ...options, color: false, columns: 100 });
}

function paintAnsi(role: Role, text: string): string {
  const [on, off] = CODES[role];
  return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
}
