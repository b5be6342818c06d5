/** What stands between `//` and the last `@` before the path: user names, passwords, tokens. */
const USER_INFORMATION = /(?<=\/\/)[^\s/?#"\\<>`]+(?=@)/g;

/** The text with the user information of its URLs starred out, character by character: columns stay where they are. */
export function hideCredentials(text: string): string {
  return text.includes('@') ? text.replace(USER_INFORMATION, (found) => '*'.repeat(found.length)) : text;
}
