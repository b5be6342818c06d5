import type { RenderOptions } from '../types/render-options.ts';

/** The default look of a report: that of a file. */
export const PLAIN_OPTIONS: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};
