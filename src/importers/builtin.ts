import type { ImporterType } from '../plugin/importer-type.ts';
import { tauBench } from './tau-bench.ts';

/** The formats that passk reads, in the order in which a source is offered to them. One more is a file here and a line below. */
export const builtinImporters: readonly ImporterType[] = [tauBench];
