const BLOCK = /<\/?(?:p|br|h[1-6]|li|ul|ol|blockquote|pre)\b/gi;

/** The words of a rich text, without markup. The browser's parser reads it; nothing in it is loaded or run. */
export function textOf(html: string | null): string {
  const page = new DOMParser().parseFromString((html ?? '').replace(BLOCK, ' $&'), 'text/html');
  return page.body.textContent.replace(/\s+/g, ' ').trim();
}
