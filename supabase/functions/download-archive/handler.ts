import { asCaller, messageOf } from '../_shared/backend.ts';
import { onPost, refuse, respond } from '../_shared/respond.ts';

const HOSTED =
  'This site’s data is stored by a hosting service. Download it and back it up in that service’s dashboard.';
const REFUSALS = {
  another: 'Another archive is in progress. Try again when it is done.',
  full: 'The server’s disk is too full to make an archive. Ask your administrator to free some space, then try again.',
  failed: 'The archive could not be made. Ask your administrator to check the server’s log.',
};

/** Streams an archive without password hashes and keys. The database authorizes and records the request. */
export default onPost(async (request, context) => {
  if (!context.host) return refuse(HOSTED);
  const authorized = await asCaller(context, request, 'begin_archive_download');
  if (!authorized.ok) {
    const code = (authorized.body as { code?: unknown } | null)?.code;
    return respond({ success: false, error: messageOf(authorized), signInAgain: code === 'PT403' });
  }
  const archive = await context.host.downloadArchive(request.signal);
  if (typeof archive === 'string') return refuse(REFUSALS[archive]);
  return new Response(archive.bytes, {
    headers: {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="${new Date().toISOString().slice(0, 10)}.tar"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-about-bytes': String(archive.about),
    },
  });
});
