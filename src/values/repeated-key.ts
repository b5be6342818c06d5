const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A key that stands twice in an object of this JSON; null: none does. Whoever parses the text takes the last, silently. */
export function repeatedKey(json: string): string | null {
  // Of each object that is open the keys so far; null: it is a list.
  const open: (Set<string> | null)[] = [];
  let keys: Set<string> | null = null;
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = textEnd(json, at);
        if (isKey && keys !== null) {
          const key = textOf(json, at, end);
          if (keys.has(key)) return key;
          keys.add(key);
        }
        isKey = false;
        at = end - 1;
        break;
      }
      case OPEN_OBJECT:
        keys = new Set();
        open.push(keys);
        isKey = true;
        break;
      case OPEN_LIST:
        keys = null;
        open.push(null);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        keys = open.at(-1) ?? null;
        break;
      case COMMA:
        isKey = true;
    }
  }
  return null;
}

/** Position behind the text in quotes that begins here. */
function textEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return json.length;
}

/** The text in quotes; two spellings of it are the same key. */
function textOf(json: string, from: number, end: number): string {
  const inner = json.slice(from + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(json.slice(from, end)) as string) : inner;
}
