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

/** The same source with every `needle` replaced; what follows a replacement keeps its place. */
export function replaceInSource(source: SourceFile, needle: string, replacement: string): SourceFile {
  const parts = needle === '' ? [source.text] : source.text.split(needle);
  if (parts.length === 1) return source;
  // Ends of the parts, in the new text and in the old one.
  const ends: { readonly after: number; readonly before: number }[] = [];
  let after = 0;
  let before = 0;
  for (const part of parts) {
    after += part.length;
    before += part.length;
    ends.push({ after, before });
    after += replacement.length;
    before += needle.length;
  }
  const origin: EmbeddedOrigin = {
    source,
    outerOffset(offset) {
      let shift = 0;
      for (const end of ends) {
        if (offset < end.after) return offset + shift;
        if (offset < end.after + replacement.length) return end.before;
        shift = end.before + needle.length - end.after - replacement.length;
      }
      return Math.min(source.text.length, offset + shift);
    },
  };
  return { path: source.path, name: source.name, text: parts.join(replacement), origin };
}

/** Where the token's characters stand; only where it starts when it cannot be mapped. */
function tokenOffsets(document: SourceDocument, pointer: Pointer): Uint32Array {
  const { text } = document.source;
  const [start] = document.range(pointer);
  if (text[start] !== '"' && text[start] !== "'") return Uint32Array.of(start);
  const decoded = decodeTomlString(text, start, endOfString(text, start));
  return decoded.value === valueAt(document.data, pointer) ? decoded.offsets : Uint32Array.of(start);
}
