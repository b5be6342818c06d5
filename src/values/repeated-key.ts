/** A key that stands twice in an object of this JSON; null: none does. Whoever parses the text takes the last, silently. */
export function repeatedKey(json: string): string | null {
  // Of each object that is open the keys so far; null: it is a list.
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at];
    if (letter === '"') {
      const end = textEnd(json, at);
      const keys = open.at(-1);
      if (isKey && keys != null) {
        const key = JSON.parse(json.slice(at, end)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKey = false;
      at = end - 1;
    } else if (letter === '{' || letter === '[') {
      open.push(letter === '{' ? new Set() : null);
      isKey = true;
    } else if (letter === '}' || letter === ']') open.pop();
    else if (letter === ',') isKey = true;
  }
  return null;
}

/** Position behind the text in quotes that begins here. */
function textEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1;
    while (json[before] === '\\') before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return json.length;
}
