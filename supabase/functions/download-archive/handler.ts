import { answer, answerOtherMethods, refuse } from '../_shared/answer.ts';
import { asVisitor, messageOf } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';

const HOSTED =
  'This site’s data is stored by a hosting service. Download it and back it up in that service’s dashboard.';
const WHY = {
  another: 'Another archive is in progress. Try again when it is done.',
  full: 'The server’s disk is too full to make an archive. Ask your administrator to free some space, then try again.',
  failed: 'The archive could not be made. Ask your administrator to check the server’s log.',
};

/** Streams an archive without password hashes and keys. The database authorizes and records the request. */
export default async function downloadArchive(request: Request, context: Context): Promise<Response> {
  const other = answerOtherMethods(request);
  if (other) return other;
  if (!context.house) return refuse(HOSTED);
  const begun = await asVisitor(context, request, 'POST', '/rest/v1/rpc/begin_archive_download', {});
  if (!begun.ok) {
    const code = (begun.body as { code?: unknown } | null)?.code;
    return answer({ success: false, error: messageOf(begun), signInAgain: code === 'PT403' });
  }
  const made = await context.house.takeAway(request.signal);
  if (typeof made === 'string') return refuse(WHY[made]);
  return new Response(made.bytes, {
    headers: {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="${new Date().toISOString().slice(0, 10)}.tar"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-about-bytes': String(made.about),
    },
  });
}
