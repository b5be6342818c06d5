/** Code of one byte a character, which V8 reads and keeps in half the room. The bundler leaves others in regular expressions only. */
export function asAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
