/** Characters that XML 1.0 forbids, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must go
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes text for an element or a quoted attribute. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
