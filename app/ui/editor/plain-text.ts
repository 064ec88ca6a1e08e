/** HTML for text typed before the editor was there: one paragraph for each line, empty lines left out. */
export const paragraphsOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
