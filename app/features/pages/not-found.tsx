import { data, href } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { LinkButton } from '#ui/form/button.tsx';
import type { Route } from './+types/not-found';
import '#ui/layout/utilities.css';
import './not-found.css';

export const loader = () => data(null, { status: 404, headers: { 'cache-control': 'no-store' } });

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => pageTags(args, { title: 'Page Not Found', noindex: true });

export default function NotFound() {
  return (
    <div className="not-found stack gap-5 start sheet">
      <p className="not-found-number tight layer" data-number="404">
        404
      </p>
      <h1>Page Not Found</h1>
      <p className="measure-52 size-1">
        We can’t find that page. The link may be old or mistyped. Or the plates slipped: then it’s our press, not you.
      </p>
      <div className="cluster">
        <LinkButton href={href('/')}>Back to Home</LinkButton>
        <button className="button button-secondary script-only" type="button" data-go-back="">
          Go Back
        </button>
      </div>
    </div>
  );
}
