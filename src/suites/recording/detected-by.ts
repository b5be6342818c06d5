import path from 'node:path';
import type { OpenSource } from '../../effects/recorded-sources.ts';
import type { ImporterType } from '../../plugin/importer-type.ts';
import { failedText } from '../../values/thrown-at.ts';
import { type Mapped, optionsFor } from './importer-options.ts';

/** Code of an importer failed where it was asked for its format. */
export class DetectError extends Error {}

/** Whether the source has the importer's format. One of the user may throw, which is told as its own fault. */
export function detectedBy(
  importer: ImporterType,
  source: OpenSource,
  { map }: Mapped,
): ReturnType<ImporterType['detects']> {
  try {
    return importer.detects(source, optionsFor(importer, map));
  } catch (cause) {
    source.close();
    throw new DetectError(`\`detects\` of the importer "${importer.type}" ${failedText(cause, new Error('here'))}`, {
      cause,
    });
  }
}

/** Who says best what a file lacks that has no format: whoever reads it without `--map`, else whoever its name is for. */
export function meantFor(importers: readonly ImporterType[], source: OpenSource): ImporterType | undefined {
  const extension = path.extname(source.path).toLowerCase();
  return (
    importers.find((importer) => detectedBy(importer, source, { map: {} }) === true) ??
    importers.find(({ extensions = [] }) => extensions.includes(extension))
  );
}
