import { redirect } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { NOT_A_PICTURE, readSvg } from '#lib/brand/clean-svg.ts';
import { isLogo, isSvg, LOGO_TOO_LARGE, MAX_LOGO_FILE_BYTES, pngLogo } from '#lib/brand/logo.ts';
import { bytesOf, servedLogo } from '#lib/brand/served-logo.ts';
import type { Route } from './+types/logo-file';

const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Twice the largest size on a page. */
const MOST = { width: 640, height: 256 };

export const handle: PageHandle = { knows: [] };

/** A logo in use, by the address that pages have; never a document that could run something. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { agency } = await context.get(siteContext).facts();
  const address = `/brand/${params.file}`;
  const logo = [agency.logo, agency.logoDark].find((one) => one && servedLogo(one) === address);
  if (!logo) {
    if (agency.logo && address.startsWith('/brand/logo-'))
      throw redirect(servedLogo(agency.logo), { headers: { 'cache-control': 'no-store' } });
    throw new Response('There is no such logo.', { status: 404 });
  }
  return new Response(new Uint8Array(bytesOf(logo)), {
    headers: {
      'content-type': isSvg(logo) ? 'image/svg+xml' : 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
    },
  });
}

/** For admins: makes the value of a setting from a file, or says in a sentence why it is no logo. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { settings, data } = context.get(siteContext);
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  const { data: isAdmin } = await data(undefined, token).rpc('is_admin');
  const file = Buffer.from(await request.arrayBuffer());
  if (params.file !== 'logo' || !token || isAdmin !== true) return refuse(403, 'Only an admin can choose a logo.');
  if (file.length > MAX_LOGO_FILE_BYTES) return refuse(413, LOGO_TOO_LARGE);
  if (file.subarray(0, 8).toString('hex') === PNG_SIGNATURE) {
    const png = await settings.drawPng(file, MOST.width, MOST.height);
    return png ? respond(pngLogo(Buffer.from(png).toString('base64'))) : refuse(422, DAMAGED);
  }
  const { svg, problem } = readSvg(file.toString());
  return problem === null ? respond(svg) : refuse(422, problem);
}

const DAMAGED = 'This PNG is damaged. Export it again.';
const NO_STORE = { 'cache-control': 'no-store' };

const respond = (logo: string) =>
  isLogo(logo) ? Response.json({ logo }, { headers: NO_STORE }) : refuse(422, logo ? LOGO_TOO_LARGE : NOT_A_PICTURE);
const refuse = (status: number, problem: string) => Response.json({ problem }, { status, headers: NO_STORE });
