import { pictureAddress } from '../../../media-address.ts';
import { inertBody } from '../rich-text-elements.ts';

export type Pasted = { html: string; unreachable: number; elsewhere: string[] };

const LISTED = /mso-list:\s*l(\d+)\s+level(\d+)/i;
const MARKER = /mso-list:\s*ignore/i;
const NUMBERED = /^\(?(?:\d+|[a-z]{1,4})[.)]/i;
const ON_DEVICE = /^(?:$|(?:file|cid|mid|blob|about|content|webkit-fake-url|x-[\w-]+|ms-[\w-]+):|[a-z]:\\)/i;
const BLOCKS = 'p, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre, div, table';

/** Converts Word's list paragraphs and table cells and removes unreachable pictures. @param own origin of the site */
export function pastedHtml(html: string, own: string): Pasted {
  const body = inertBody(html);
  const pictures = [...body.getElementsByTagName('img')];
  // Data pictures that the editor would blank count as unreachable.
  const addressOf = (img: Element) => (img.getAttribute('src') ?? '').trim().replace(/^data:image.*/is, pictureAddress);
  const unreachable = pictures.filter((picture) => ON_DEVICE.test(addressOf(picture)));
  for (const picture of unreachable) picture.remove();
  const external = pictures.map(addressOf).filter((address) => {
    const url = URL.parse(address);
    return url !== null && /^https?:$/.test(url.protocol) && url.origin !== own;
  });
  for (const parent of new Set([...body.querySelectorAll('p[style*="mso-list"]')].map((item) => item.parentElement!)))
    listsIn(parent);
  for (const marker of markersIn(body)) marker.remove();
  // Innermost tables first, so that a nested table is converted before its outer table.
  for (const table of [...body.querySelectorAll('table')].reverse()) table.replaceWith(...linesOf(table));
  return { html: body.innerHTML, unreachable: unreachable.length, elsewhere: external };
}

type Item = { element: HTMLElement; list: string; level: number; numbered: boolean };

function listsIn(parent: HTMLElement): void {
  let run: Item[] = [];
  const close = () => {
    if (run[0]) run[0].element.before(...nested(run));
    for (const { element } of run) element.remove();
    run = [];
  };
  for (const child of [...parent.childNodes]) {
    const item = child instanceof HTMLElement ? itemIn(child) : null;
    if (item) run.push(item);
    else if (child.nodeType !== Node.COMMENT_NODE && child.textContent!.trim() !== '') close();
  }
  close();
}

const markersIn = (element: HTMLElement) =>
  [...element.querySelectorAll('[style]')].filter((part) => MARKER.test(part.getAttribute('style')!));

function itemIn(element: HTMLElement): Item | null {
  const [, list, level] = LISTED.exec(element.getAttribute('style') ?? '') ?? [];
  if (element.localName !== 'p' || !list) return null;
  const markers = markersIn(element);
  const marker = markers.map(({ textContent }) => textContent).join('');
  for (const part of markers) part.remove();
  return { element, list, level: Number(level), numbered: NUMBERED.test(marker.trim()) };
}

function nested(items: readonly Item[]): HTMLElement[] {
  const lists: HTMLElement[] = [];
  let open: { of: HTMLElement; last: HTMLElement; level: number; list: string; numbered: boolean }[] = [];
  for (const { element, list, level, numbered } of items) {
    open = open.filter((each) => each.level <= level);
    const current = open.at(-1);
    // Another kind of marker, or another list of the document, starts a new list at the same level.
    if (current?.level === level && (current.numbered !== numbered || current.list !== list)) open.pop();
    // In the pasted document, where nothing is loaded or executed.
    const { ownerDocument } = element;
    const item = ownerDocument.createElement('li');
    const line = ownerDocument.createElement('p');
    line.append(...element.childNodes);
    item.append(line);
    const innermost = open.at(-1);
    if (innermost?.level === level) {
      innermost.of.append(item);
      innermost.last = item;
      continue;
    }
    const newList = ownerDocument.createElement(numbered ? 'ol' : 'ul');
    newList.append(item);
    if (innermost) innermost.last.append(newList);
    else lists.push(newList);
    open.push({ of: newList, last: item, level, list, numbered });
  }
  return lists;
}

const linesOf = (table: HTMLTableElement): Node[] =>
  [...(table.caption ? [table.caption] : []), ...[...table.rows].flatMap(({ cells }) => [...cells])].flatMap((cell) => {
    if (cell.textContent!.trim() === '' && !cell.querySelector('img')) return [];
    if ([...cell.children].some((child) => child.matches(BLOCKS))) return [...cell.childNodes];
    const line = table.ownerDocument.createElement('p');
    line.append(...cell.childNodes);
    return [line];
  });
