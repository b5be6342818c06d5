import type { ReadOptions } from '../../source/source-file.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Places } from '../../scenario/places.ts';
import type { Chaos } from '../../types/chaos.ts';
import type { NamedPlugins } from '../../scenario/registry-view.ts';
import type { Report } from '../../workflow/report.ts';

/** Where the files of a contract are looked for. */
export interface ContractPlaces extends ReadOptions, Pick<Places, 'onCode'> {
  /** Absolute folder of the contract file. */
  readonly folder: string;
}

/** What reading a contract file needs. */
export interface Reading {
  readonly document: SourceDocument;
  readonly places: ContractPlaces;
  /** Chaos of profiles that the file names, by the name; null: it could not be read, which has been said. */
  readonly profiles: ReadonlyMap<string, Chaos | null>;
  /** Plug-ins that its rules may name. */
  readonly plugins: NamedPlugins;
  readonly report: Report;
}
