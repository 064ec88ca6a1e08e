import { MOST_PAGES } from '../model/list.ts';

/** Appends, focuses and announces the next cards. On any error the link is followed. @param link to the next page */
export async function loadMore(link: HTMLAnchorElement): Promise<void> {
  if (link.ariaBusy) return;
  link.ariaBusy = 'true';
  try {
    const answer = await fetch(link.href);
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const cards = [...next.querySelectorAll('.cards > li')].map((card) => document.adoptNode(card));
    const first = cards[0]?.querySelector<HTMLElement>('h2 a');
    if (!answer.ok || !first) throw new Error('There are no cards in the answer');
    document.querySelector('.cards')!.append(...cards);
    history.replaceState(history.state, '', addressWith(new URL(link.href)));
    say(cards.length, next);
    first.focus();
    dispatchEvent(new Event('cards-added'));
    const following = next.querySelector<HTMLAnchorElement>('.list-pages [rel=next]');
    if (following) link.href = following.href;
    else link.remove();
    link.ariaBusy = null;
  } catch {
    location.assign(link.href);
  }
}

function addressWith(added: URL): URL {
  const shown = new URLSearchParams(location.search);
  const page = Number(added.searchParams.get('page'));
  const from = Number(shown.get('from') ?? shown.get('page') ?? 1);
  added.searchParams.set('from', String(Math.max(from, page - MOST_PAGES + 1)));
  return added;
}

function say(count: number, next: Document): void {
  const range = '.list-pages [aria-live]';
  const line = document.querySelector(range);
  const [, shownFrom] = /(\S+)–/.exec(line?.textContent ?? '') ?? [];
  const [, rest] = /(–.*)/.exec(next.querySelector(range)?.textContent ?? '') ?? [];
  if (line) line.textContent = `${count} more. Experiments ${shownFrom}${rest}`;
}
