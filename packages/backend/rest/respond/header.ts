const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

export const isHeader = (name: string, value: string): boolean => NAME.test(name) && isHeaderValue(value);

function isHeaderValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127 || code > 255) return false;
  }
  return true;
}

export const reasonPhrase = (text: string | null): string | null => (text && isHeaderValue(text) ? text : null);
