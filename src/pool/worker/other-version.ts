import { VERSION } from '../../version.ts';

/** Why a worker takes no work from a run of this version of passk; null: it does. Results of two never stand in one report. */
export function otherVersion(version: string): string | null {
  if (version === VERSION) return null;
  return `they are of passk ${VERSION}, the run of ${version}, as when passk is installed anew while it runs`;
}
