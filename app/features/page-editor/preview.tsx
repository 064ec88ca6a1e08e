import { type ComponentType, createElement, type MouseEvent, useEffect, useState } from 'react';
import { href, useFetcher } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { pictureHost } from '#context/picture-host.ts';
import { ContentContext, useFacts } from '#context/use-facts.ts';
import { MasterclassPage } from '#features/masterclass/page.tsx';
import { ContactBlock } from '#features/messages/contact/block.tsx';
import { AboutPage } from '#features/pages/about/about.tsx';
import { Frame } from '#features/pages/frame.tsx';
import { FreePage } from '#features/pages/free/free.tsx';
import { HomePage } from '#features/pages/home/home.tsx';
import { JoinPage } from '#features/pages/join/join.tsx';
import { listLivePages } from '#features/pages/model/live-pages.ts';
import { type PageKind, pageSchemas } from '#features/pages/model/page-schemas.ts';
import NotFound from '#features/pages/not-found.tsx';
import { ListPage } from '#features/portfolio/list/list.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { readContent } from '#lib/fields/check-field.ts';
import type { Fields } from '#lib/fields/field.ts';
import { contentOf } from '#lib/fields/page-field.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import type { Route } from './+types/preview';
import type { EditedPage } from './model/pages.ts';
import type { PreviewMessage } from './page-preview.tsx';
import { usePage } from './page-queries.ts';
import { pageEditor as words } from './words.ts';
import '#ui/layout/utilities.css';
import '#features/masterclass/masterclass.css';

export const handle: PageHandle = { isFramed: true };
export const meta = privateTags('Preview');

const Preview = ({ params: { id } }: Route.ComponentProps) => (
  <Loaded query={usePage(id)} loading={words.loadingOne} failed={words.failedOne}>
    {(page) => (page ? <Draft page={page} /> : <h1>{words.gone}</h1>)}
  </Loaded>
);
export default Preview;

const PAGES: Record<Exclude<PageKind, 'free'>, ComponentType<never>> = {
  home: HomePage,
  about: AboutPage,
  join: JoinPage,
  masterclass: MasterclassPage,
  contact: () => <ContactBlock page />,
  portfolio: ListPage,
  frame: HomePage,
  missing: () => <NotFound />,
};

function Draft({ page }: { page: EditedPage }) {
  const { kind, path, draft, live } = page;
  const [typed, setTyped] = useState<PreviewMessage['preview'] | null>(null);
  useEffect(() => {
    if (parent === window) return;
    const onMessage = ({ origin, source, data }: MessageEvent<PreviewMessage>) =>
      origin === location.origin && source === parent && setTyped(data.preview);
    addEventListener('message', onMessage);
    parent.postMessage('ready', location.origin);
    return () => removeEventListener('message', onMessage);
  }, []);
  const { title, content } = typed ?? { title: page.title, content: draft ?? live };
  const shown = readContent(pageSchemas[kind].fields as Fields, content);
  const { agency } = useFacts();
  const { data, load } = useFetcher();
  useEffect(() => {
    if (kind !== 'free') void load(path && path !== href('/') ? path : `${href('/')}?index`);
  }, [kind, path, load]);
  const published = useRead(['live pages'], listLivePages, fromCache);
  if (!published.data || (kind !== 'free' && data === undefined)) return <Spinner label={words.loadingOne} />;
  const drawn =
    kind === 'free' ? (
      <FreePage title={title} content={contentOf(pageSchemas.free, { free: shown }, agency)} host={pictureHost()} />
    ) : (
      createElement(PAGES[kind] as ComponentType<object>, data)
    );
  return (
    <div onClickCapture={stay}>
      <ContentContext value={{ ...published.data.contents, [kind]: shown }}>
        {kind === 'join' ? drawn : <Frame label="Preview">{drawn}</Frame>}
      </ContentContext>
    </div>
  );
}

function stay(event: MouseEvent) {
  if ((event.target as Element).closest('a, [type=submit]')) event.preventDefault();
}
