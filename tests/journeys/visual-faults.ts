import type { Locator, Page } from 'playwright-core';

/** Longer words may be broken, and so may words wider than two fifths of the window. */
const LONGEST_WORD = 18;
const LONGEST_ADDRESS = 34;
/** Limit for headings of the site; titles entered by users may need more lines. */
const SHORT_HEADING = 60;

/**
 * Describes visual faults of the current screen that axe does not report: words or amounts broken over lines, headings of
 * more than three lines, covered controls, truncated texts that are not available elsewhere, and horizontal scrolling.
 * Of a screen behind a modal dialog only the last.
 */
export const visualFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([longestWord, longestAddress, shortHeading]) => {
      const faults = new Set<string>();
      const root = document.querySelector('dialog:modal') ?? document.body;
      const said = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 80);
      const named = (element: Element) => {
        const { id, className, tagName } = element;
        const first = typeof className === 'string' ? className.split(' ')[0] : '';
        return `${tagName.toLowerCase()}${id && !id.includes(':') && !id.includes('«') ? `#${id}` : ''}${first ? `.${first}` : ''}`;
      };
      const isShown = (element: Element) => {
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
        const { width, height } = element.getBoundingClientRect();
        return width > 1 && height > 1 && !element.closest('.hidden-text, [aria-hidden=true], svg, [inert]');
      };
      const linesOf = (rects: Iterable<DOMRect>) => {
        const tops: number[] = [];
        for (const { top, height, width } of rects)
          if (width > 0 && !tops.some((known) => Math.abs(known - top) < height / 2)) tops.push(top);
        return tops.length;
      };

      const pageWidth = document.documentElement;
      if (pageWidth.scrollWidth > pageWidth.clientWidth)
        faults.add(`the page is ${pageWidth.scrollWidth - pageWidth.clientWidth} px wider than its window`);

      const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = words.nextNode(); node; node = words.nextNode()) {
        const parent = node.parentElement!;
        if (
          !node.textContent!.trim() ||
          parent.closest('script, style, noscript, option, textarea') ||
          !isShown(parent)
        )
          continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if (linesOf(range.getClientRects()) < 2) continue;
        for (const { 0: word, index } of node.textContent!.matchAll(/[$€£₹][\s ]?[\d.,]+|https?:\S+|[^\s\-–—/·]+/g)) {
          if (word.length > (/@|:\/\//.test(word) ? longestAddress : longestWord)) continue;
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const parts = [...range.getClientRects()];
          if (linesOf(parts) > 1 && parts.reduce((sum, { width }) => sum + width, 0) < innerWidth * 0.4)
            faults.add(`“${word}” is split over lines in ${named(parent)}`);
        }
      }

      // A heading may consist of several blocks.
      for (const heading of root.querySelectorAll('h1, h2, h3, :is(h1, h2, h3) > *')) {
        if ([...heading.children].some((part) => getComputedStyle(part).display === 'block')) continue;
        const text = said(heading.textContent ?? '');
        if (!isShown(heading) || text.length > shortHeading) continue;
        const range = document.createRange();
        range.selectNodeContents(heading);
        const lines = linesOf(range.getClientRects());
        if (lines > 3) faults.add(`the heading “${text}” has ${lines} lines`);
      }

      const controls =
        'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]';
      const before = { x: scrollX, y: scrollY };
      for (const control of root.querySelectorAll<HTMLElement>(controls)) {
        if (!isShown(control) || control.matches(':disabled')) continue;
        if (getComputedStyle(control).pointerEvents === 'none') continue;
        const own = (element: Element | null) =>
          element !== null &&
          (control.contains(element) ||
            element.contains(control) ||
            [...((control as HTMLInputElement).labels ?? [])].some((label) => label.contains(element)));
        const hit = () => {
          // The centre of a two-line link may be outside its text.
          const box = [...control.getClientRects()].find(({ width, height }) => width > 1 && height > 1);
          if (!box) return null;
          const x = box.left + box.width / 2;
          const y = box.top + box.height / 2;
          if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
          return { top: document.elementFromPoint(x, y), isCentred: y > innerHeight / 4 && y < (innerHeight * 3) / 4 };
        };
        const unscrolled = hit();
        if (unscrolled?.isCentred && own(unscrolled.top)) continue;
        control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const scrolled = hit();
        if (!scrolled) continue;
        const { top } = scrolled;
        if (!own(top))
          faults.add(
            `“${said(control.textContent || control.getAttribute('aria-label') || control.id)}” (${named(control)}) lies under ${top ? named(top) : 'nothing'}`,
          );
      }
      scrollTo({ left: before.x, top: before.y, behavior: 'instant' });

      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        const style = getComputedStyle(element);
        const cutsAcross = style.overflowX !== 'visible' && style.overflowX !== 'auto' && style.overflowX !== 'scroll';
        const cutsDown = style.overflowY !== 'visible' && style.overflowY !== 'auto' && style.overflowY !== 'scroll';
        if (!cutsAcross && !cutsDown) continue;
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim());
        if (!hasText || !isShown(element) || element.matches('input, textarea, select')) continue;
        const across = cutsAcross && element.scrollWidth > element.clientWidth + 1;
        const down = cutsDown && element.scrollHeight > element.clientHeight + 2;
        // The full text is available through a link, a disclosure or a title attribute.
        if (
          (across || down) &&
          !element.closest('a[href], button, summary, [title], [tabindex="0"]') &&
          !element.querySelector('a[href]')
        )
          faults.add(`“${said(element.textContent!)}” is cut off in ${named(element)}`);
      }
      return [...faults];
    },
    [LONGEST_WORD, LONGEST_ADDRESS, SHORT_HEADING] as const,
  );

/** Whether a control is completely visible without scrolling. */
export const isInFirstScreen = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    scrollTo({ top: 0, behavior: 'instant' });
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  });
