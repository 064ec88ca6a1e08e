import { answer, answerOtherMethods, refuse } from '../_shared/answer.ts';
import { asVisitor, messageOf } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';

const HOSTED = 'This site’s data lies with a hosting service. Its dashboard downloads and backs it up.';
const WHY = {
  another: 'Another archive is being made right now. Try again when it is done.',
  full: 'The disk of the server is too full to make an archive. Ask whoever runs the server to make room, then try again.',
  failed: 'The archive could not be made. The log of the server says why: ask whoever runs it.',
};

/**
 * Everything of the house as one archive, made while it is sent, without password hashes and keys. The database decides
 * whether the visitor may, and writes down that they asked.
 */
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
