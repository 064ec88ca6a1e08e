const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** True when HTTP can carry this name and value; SQL may set both. */
export const isHeader = (name: string, value: string): boolean => NAME.test(name) && isHeaderValue(value);

function isHeaderValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127 || code > 255) return false;
  }
  return true;
}

/** A text as reason phrase of the status line; null for what HTTP cannot carry there. */
export const reasonPhrase = (text: string | null): string | null => (text && isHeaderValue(text) ? text : null);
