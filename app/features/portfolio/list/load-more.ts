import { MAX_PAGES_SHOWN } from '../model/list.ts';

/** Appends, focuses and announces the next cards. @param link to the next page @throws if they cannot be read */
export async function loadMore(link: HTMLAnchorElement): Promise<void> {
  if (link.ariaBusy) return;
  link.ariaBusy = 'true';
  await appendNext(link).finally(() => {
    // The page may be restored after the script has failed.
    link.ariaBusy = null;
  });
}

async function appendNext(link: HTMLAnchorElement): Promise<void> {
  const answer = await fetch(link.href);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [pages, nextPages] = [link.parentElement!, next.querySelector('.list-pages')];
  const cards = [...(nextPages?.previousElementSibling?.children ?? [])];
  if (!answer.ok || cards.length === 0) throw new Error('There are no cards in the answer');
  pages.previousElementSibling!.append(...cards);
  history.replaceState(history.state, '', addressWith(new URL(link.href)));
  const [range, nextRange] = [pages, nextPages!].map(({ lastElementChild }) => lastElementChild!);
  const [from] = /Experiments [^–]*/.exec(range!.textContent!)!;
  const [to] = /–.*/.exec(nextRange!.textContent!)!;
  range!.textContent = `${cards.length} more. ${from}${to}`;
  cards[0]!.getElementsByTagName('a')[0]!.focus();
  dispatchEvent(new Event('content-added'));
  const nextLink = [...next.links].find(({ rel }) => rel === 'next');
  if (nextLink) link.href = nextLink.href;
  else link.remove();
}

function addressWith(added: URL): URL {
  const params = new URLSearchParams(location.search);
  const page = Number(added.searchParams.get('page'));
  const from = Number(params.get('from') ?? params.get('page') ?? 1);
  added.searchParams.set('from', String(Math.max(from, page - MAX_PAGES_SHOWN + 1)));
  return added;
}
