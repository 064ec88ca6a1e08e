/** Characters that XML 1.0 has no place for, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must go
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text as it may stand in an element or in a quoted attribute of XML. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
