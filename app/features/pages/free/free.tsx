import { data, redirect } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { Picture } from '#features/media/picture.tsx';
import { contentIn, pageTags } from '#features/seo/model/page-meta.ts';
import type { PagePicture } from '#lib/fields/field.ts';
import { contentOf } from '#lib/fields/page-field.ts';
import { publicPage } from '#lib/page-headers.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { RichText } from '#ui/rich-text.tsx';
import NotFound from '../not-found.tsx';
import { freePage } from '../words/free.ts';
import { missingPage } from '../words/missing.ts';
import type { Route } from './+types/free';
import '#ui/layout/utilities.css';
import './free.css';

export const handle: PageHandle = { knows: [] };

export async function loader({ params: { page: name }, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const [{ free, redirects }, { agency }, host] = await Promise.all([site.pages(), site.facts(), site.pictureHost()]);
  const address = `/${name.toLowerCase()}`;
  const found = free.find(({ path }) => path === address);
  if (found) {
    const content = contentOf(freePage, { free: found.content }, agency);
    return data({ title: found.title, content, host }, { headers: publicPage });
  }
  const to = redirects[address];
  if (to) throw redirect(to, { status: 301, headers: publicPage });
  if (site.trouble.incomplete) throw data(null, { status: 503 });
  return data(null, { status: 404, headers: { 'cache-control': 'no-store' } });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { loaderData: page } = args;
  if (!page) return pageTags(args, { title: contentIn(args, missingPage).title, noindex: true });
  return pageTags(args, { title: page.title, description: page.content.description || page.content.lead });
};

const FreeRoute = ({ loaderData: page }: Route.ComponentProps) => (page ? <FreePage {...page} /> : <NotFound />);
export default FreeRoute;

type FreePageProps = { title: string | null; content: typeof freePage.words; host: PictureHost };

export const FreePage = ({ title, content: { lead, sections }, host }: FreePageProps) => (
  <article className="free pad-y-section stack gap-7 anywhere sheet">
    <header className="stack gap-5">
      <h1 className="black">{title}</h1>
      {lead && <p className="measure-52 lead">{lead}</p>}
    </header>
    {sections.map((section, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other identity
      <FreeSection section={section} host={host} key={at} />
    ))}
  </article>
);

function FreeSection({ section, host }: { section: FreePageProps['content']['sections'][number]; host: PictureHost }) {
  const title = 'title' in section && section.title && <h2>{section.title}</h2>;
  switch (section.kind) {
    case 'text':
      return (
        <section className="stack gap-4 measure-70">
          {title}
          <RichText html={section.html} />
        </section>
      );
    case 'picture':
      return <Figure {...section} host={host} sizes="92vw" />;
    case 'gallery':
      return (
        <section className="stack gap-4">
          {title}
          <ul className="grid free-gallery">
            {section.pictures.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a picture may occur twice
              <li key={at}>
                <Figure {...one} host={host} sizes="(min-width: 900px) 30vw, 92vw" />
              </li>
            ))}
          </ul>
        </section>
      );
    case 'call':
      return (
        <section className="pad-5 stack gap-4 start panel">
          {title}
          {section.text && <p className="measure-52">{section.text}</p>}
          <LinkButton href={section.href}>{section.label}</LinkButton>
        </section>
      );
  }
}

type FigureProps = { picture: PagePicture; caption: string; host: PictureHost; sizes: string };

const Figure = ({ picture: { path, alt, width = null, height = null }, caption, host, sizes }: FigureProps) => (
  <figure className="stack gap-2">
    <Picture picture={pictureOf({ url: path, width, height, placeholder: null }, host)} alt={alt} sizes={sizes} />
    {caption && <figcaption className="quiet small">{caption}</figcaption>}
  </figure>
);
