/** What stands between `//` and the last `@` before the path: user names, passwords, tokens. */
const USER_INFORMATION = /(?<=\/\/)[^\s/?#"\\<>`]+(?=@)/g;

/** The text with the user information of its URLs starred out, character by character: columns stay where they are. */
export function hideCredentials(text: string): string {
  return text.includes('@') ? text.replace(USER_INFORMATION, (found) => '*'.repeat(found.length)) : text;
}

/** A key of a file that holds a secret, and its value; names of variables, and values that name a secret, are none. */
const SECRET_VALUE =
  /((?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credentials?|authorization|private[_-]?key)["']?\s*[=:]\s*)("(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"',#\]}]{8,})/gi;

/** A line of a file with the values of keys such as `api_key` and `password` starred out; columns stay where they are. */
export function hideSecrets(line: string): string {
  return line.replace(SECRET_VALUE, (found, key: string, value: string) =>
    /\{\{secret:|^["']?\$/.test(value) ? found : key + value.replace(/[^"']/g, '*'),
  );
}
