import { redirect } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { type SiteContext, siteContext } from '#context/site-context.ts';
import { renderedAddress } from '#features/media/model/picture.ts';
import { findProject } from '#features/projects/model/read.ts';
import { isListed } from '#features/projects/model/status.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { isUuid } from '#lib/data/ids.ts';
import type { Route } from './+types/social-image';
import { notFound, orUnavailable, unavailable } from './answer.ts';
import { experimentCard, nameIn, pageCard, type SocialCard, socialAddress, versionOf } from './model/social-card.ts';

const MAX_COVER_BYTES = 8 * 1024 * 1024;

export const handle: PageHandle = { knows: [] };

export const loader = ({ request, params, context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const site = context.get(siteContext);
    const name = nameIn(params.file);
    const card = name && (await cardNamed(name, site));
    if (!name || !card) return notFound();
    const address = socialAddress(name, card);
    const { pathname, search } = new URL(request.url);
    if (pathname + search !== address) throw redirect(address, { headers: { 'cache-control': 'no-store' } });
    const picture = await site.settings.drawCard(card, versionOf(card), () => coverOf(card, site));
    if (!picture) return unavailable(5);
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=31536000, immutable' };
    return new Response(new Uint8Array(picture), { headers });
  });

async function cardNamed(name: string, { data, facts, pages, pictureHost }: SiteContext): Promise<SocialCard | null> {
  if (!isUuid(name)) return pageCard(name, await facts(), (await pages()).contents);
  const experiment = await findProject(data(), name);
  // Archived experiments are readable, but not promoted.
  if (!experiment || !isListed(experiment.status)) return null;
  return experimentCard(experiment, await pictureHost(), (await facts()).agency);
}

/** From our own store only: nothing is ever fetched from another host. */
async function coverOf(card: SocialCard, { settings, visitor }: SiteContext): Promise<Uint8Array | null> {
  if (card.kind !== 'experiment' || !card.cover) return null;
  const address = settings.supabase.url + renderedAddress(card.cover, 640);
  const response = await settings.fetch(new Request(address, { headers: { accept: 'image/jpeg,image/png' } }), visitor);
  // Throws on a temporary error, so that no image without its cover is cached.
  if (response.status >= 500 || response.status === 429) throw new ApiError(`The cover answered ${response.status}`);
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MAX_COVER_BYTES) {
    await response.body?.cancel();
    return null;
  }
  return new Uint8Array(await response.arrayBuffer());
}
