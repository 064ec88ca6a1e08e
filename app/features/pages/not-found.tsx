import { data, href } from 'react-router';
import { useContent } from '#context/use-facts.ts';
import { contentIn, pageTags } from '#features/seo/model/page-meta.ts';
import { LinkButton } from '#ui/form/button.tsx';
import type { Route } from './+types/not-found';
import { missingPage } from './words/missing.ts';
import '#ui/layout/utilities.css';
import './not-found.css';

export const loader = () => data(null, { status: 404, headers: { 'cache-control': 'no-store' } });

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) =>
  pageTags(args, { title: contentIn(args, missingPage).title, noindex: true });

export default function NotFound() {
  const { title, text, home, back } = useContent(missingPage);
  return (
    <div className="not-found stack gap-5 start sheet">
      <p className="not-found-number tight layer" data-number="404">
        404
      </p>
      <h1 className="anywhere">{title}</h1>
      <p className="measure-52 size-1">{text}</p>
      <div className="cluster">
        <LinkButton href={href('/')}>{home}</LinkButton>
        <button className="button button-secondary script-only" type="button" data-go-back="">
          {back}
        </button>
      </div>
    </div>
  );
}
