import { data } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { legalPage } from '#features/settings/model/legal-page.ts';
import { legal } from '../words/legal.ts';
import type { Route } from './+types/privacy';
import { LegalArticle } from './legal-text.tsx';

export const handle: PageHandle = { knows: [] };

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const [texts, facts] = await Promise.all([site.legalTexts(), site.facts()]);
  const page = legalPage('privacy', texts, facts);
  return data(page, { headers: { 'cache-control': 'public, max-age=0, must-revalidate' } });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) =>
  pageTags(args, { title: legal.privacy.title, description: legal.privacy.description });

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalArticle {...loaderData} />;
}
