import { data, href, isRouteErrorResponse, redirect } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { type SiteContext, siteContext } from '#context/site-context.ts';
import { draftSecret, isDraftSecret, rememberDraft } from '#features/drafts/draft-cookie.ts';
import { findDraftLinks, noteOpened } from '#features/drafts/model/draft-links.ts';
import { findDraftStates } from '#features/drafts/model/draft-state.ts';
import { isOpenedByPerson } from '#features/drafts/person.ts';
import { filmFileId, pictureOf, posterOf } from '#features/media/model/picture.ts';
import { titleOf } from '#features/media/model/titles.ts';
import { addressOf, coverOf, slugOf, socialDescription } from '#features/projects/model/labels.ts';
import { findRevision, withFields } from '#features/projects/model/plans.ts';
import { isListed } from '#features/projects/model/status.ts';
import { creditData } from '#features/seo/model/credit-data.ts';
import { articleData, factsIn, pageTags, structured } from '#features/seo/model/page-meta.ts';
import { experimentImage } from '#features/seo/model/social-card.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { isUuid } from '#lib/data/ids.ts';
import { privatePage, publicPage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { ErrorPanel } from '#ui/feedback/error-panel.tsx';
import { findExperiment } from '../model/experiment.ts';
import type { Route } from './+types/detail';
import { ExperimentArticle } from './article.tsx';
import '#ui/layout/utilities.css';
import './detail.css';
import '#features/drafts/draft-notice.css';

export const handle: PageHandle = { knows: ['draft'], readsDraftCookie: true };

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { settings, data: client, facts, pictureHost } = site;
  const secrets = new URL(request.url).searchParams.getAll('draft');
  if (secrets.length > 0) return openDraft(request, params.id, secrets, site);

  const secret = draftSecret(request, settings.origin, params.id);
  const result = await findExperiment(client(secret ?? undefined), params.id).catch(unreachable);
  if (!result) throw data(messages.experimentNotFound, { status: 404, headers: privatePage });
  const { experiment, next } = result;
  if (params.id !== experiment.id || (params.slug ?? '') !== slugOf(experiment))
    throw redirect(addressOf(experiment), { headers: privatePage });
  const holder = secret ? client(secret) : null;
  const isDraft = experiment.status === 'draft';
  const [host, [draft = null], revision] = await Promise.all([
    pictureHost(),
    holder && isDraft ? findDraftStates(holder, [experiment.id]).catch(() => []) : [],
    holder && !isDraft ? findRevision(holder, experiment.id) : null,
  ]);
  if (holder && (isDraft || revision) && isOpenedByPerson(request)) void noteOpened(holder).catch(() => {});
  // Link previews are only for public experiments.
  const image = isListed(experiment.status) ? experimentImage(experiment, host, (await facts()).agency) : undefined;
  const shown = revision ? withFields(experiment, revision) : experiment;
  const isPreview = revision !== null;
  const canComment = holder !== null && (isDraft || isPreview);
  const cached = isListed(experiment.status) && !secret ? publicPage : privatePage;
  return data({ experiment: shown, isPreview, canComment, next, draft, host, image }, { headers: cached });
}

const unreachable = (error: unknown): never => {
  throw data(messageOf(error, messages.experimentNotFound), { status: 502, headers: privatePage });
};

/** Moves the secret of a draft link into an HttpOnly cookie, unless only the one it would replace owns the draft. */
async function openDraft(request: Request, id: string, [secret, ...more]: string[], site: SiteContext): Promise<never> {
  if (more.length > 0 || !secret || !isDraftSecret(secret) || !isUuid(id))
    throw data(messages.experimentNotFound, { status: 400, headers: privatePage });
  const known = draftSecret(request, site.settings.origin, id);
  const owns = async (one: string) => (await findDraftLinks(site.data(one), id).catch(unreachable)).length > 0;
  const kept = known && known !== secret && !(await owns(secret)) && (await owns(known)) ? known : secret;
  throw redirect(href('/case-studies/:id/:slug?', { id }), {
    headers: { ...privatePage, 'set-cookie': rememberDraft(request, site.settings.origin, id, kept) },
  });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders, errorHeaders }) => errorHeaders ?? loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { loaderData } = args;
  if (!loaderData) return pageTags(args, { title: messages.experimentNotFound, noindex: true });
  const { experiment, host, image } = loaderData;
  const { title, brief, status } = experiment;
  const cover = coverOf(experiment, host);
  const films = experiment.project_media.flatMap((item) => {
    const poster = filmFileId(item.url) && posterOf(item, host);
    const name = titleOf(item) || title;
    return poster ? { name, src: pictureOf(item, host).src, poster: poster.src } : [];
  });
  const images = [image?.src, cover && pictureOf(cover, host).src].filter((src) => src != null);
  const credits = creditData(experiment, host);
  const article = articleData(experiment, socialDescription(brief), images, factsIn(args), host.origin, credits, films);
  const parent = { name: factsIn(args).agency.portfolioName, path: href('/case-studies') };
  return [
    ...pageTags(args, { title, description: brief, type: 'article', image, noindex: !isListed(status), parent }),
    structured(article),
  ];
};

const ExperimentDetail = ({ loaderData }: Route.ComponentProps) => <ExperimentArticle {...loaderData} />;
export default ExperimentDetail;

/** Responds 404 to missing and hidden experiments alike. For signed-in users the browser retries with the session. */
export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <div className="sheet" id="experiment">
    <ErrorPanel
      title={messages.errorLoadingExperiment}
      backTo={href('/case-studies')}
      back={messages.backToExperiments}
    >
      <p>{reasonOf(error)}</p>
    </ErrorPanel>
  </div>
);

const reasonOf = (error: unknown): string =>
  isRouteErrorResponse(error) && typeof error.data === 'string' ? error.data : messages.experimentNotFound;
