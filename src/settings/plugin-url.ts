import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A plug-in as the user named it, as a `file:` URL or the name of a package. */
export function pluginUrl(plugin: string, cwd: string): string {
  if (plugin.startsWith('file:')) return plugin;
  if (path.isAbsolute(plugin) || plugin.startsWith('.')) return pathToFileURL(path.resolve(cwd, plugin)).href;
  // A bare word: a file beside the user first, else a package.
  return /\.[cm]?[jt]s$/.test(plugin) ? pathToFileURL(path.resolve(cwd, plugin)).href : plugin;
}
