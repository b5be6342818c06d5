import type { EmbeddedOrigin, SourceFile } from './source-file.ts';
import type { SourceDocument } from './toml-document.ts';
import type { Pointer } from './place-tree.ts';
import { endOfString } from './toml-scan.ts';
import { decodeTomlString } from './toml-string.ts';
import { valueAt } from './value-at.ts';

/** The string at a place of a document as a source of its own; its problems are shown in the outer file. */
export function embeddedSource(document: SourceDocument, pointer: Pointer): SourceFile {
  const value = valueAt(document.data, pointer);
  const text = typeof value === 'string' ? value : '';
  let offsets: Uint32Array | undefined;
  const origin: EmbeddedOrigin = {
    source: document.source,
    outerOffset(offset) {
      // Only problems need positions, so the token is decoded when the first one is shown.
      offsets ??= tokenOffsets(document, pointer);
      return offsets[Math.min(offset, offsets.length - 1)] ?? 0;
    },
  };
  return { path: document.source.path, name: document.source.name, text, origin };
}

/** Where the token's characters stand; only where it starts when it cannot be mapped. */
function tokenOffsets(document: SourceDocument, pointer: Pointer): Uint32Array {
  const { text } = document.source;
  const [start] = document.range(pointer);
  if (text[start] !== '"' && text[start] !== "'") return Uint32Array.of(start);
  const decoded = decodeTomlString(text, start, endOfString(text, start));
  return decoded.value === valueAt(document.data, pointer) ? decoded.offsets : Uint32Array.of(start);
}
