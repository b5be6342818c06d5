/** Texts, which stay; comments, and commas before a closing bracket, which editors take. */
const PART = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
const LAST_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** JSON as editors write it (JSONC) as plain JSON, in which everything stands where it stood. */
export function plainJsonText(text: string): string {
  const blank = (part: string): string => (part.startsWith('"') ? part : part.replace(/[^\r\n]/g, ' '));
  return text.replace(PART, blank).replace(LAST_COMMA, blank);
}
