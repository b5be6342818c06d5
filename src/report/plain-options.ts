import type { RenderOptions } from '../types/render-options.ts';

/** How a report is shown to whoever asked for nothing else: as a file would hold it. */
export const PLAIN_OPTIONS: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};
