import type { RenderOptions } from '../types/render-options.ts';

/** How reports look by default: as in a file. */
export const PLAIN_OPTIONS: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};
