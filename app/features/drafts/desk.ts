import * as z from 'zod/mini';
import { siteContext } from '#context/site-context.ts';
import { creditRowSchema } from '#features/credits/model/row-schema.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { MADE } from '#lib/words/credits.ts';
import { FormBodyError, readJson } from '#session/csrf.ts';
import type { Route } from './+types/desk';
import { draftSecret } from './draft-cookie.ts';
import { type ChangedDraft, type DraftActions, draftActions } from './model/draft-actions.ts';

const LARGEST = 1024 * 1024;

const text = z.string();
const located = { id: text, url: text, isUploading: z.boolean() };
const Draft = z.object({
  title: text,
  client: text,
  category: text,
  tags: z.array(text),
  brief: text,
  understanding: text,
  actions: text,
  impact: text,
  credits: z.array(creditRowSchema),
  media: z.array(
    z.object({
      ...located,
      type: z.enum(['image', 'video']),
      caption: text,
      alt: z.nullable(text),
      made: z.nullable(z.enum(MADE)),
      isCover: z.boolean(),
      poster: z.nullable(z.object(located)),
    }),
  ),
});

const withoutFiles = ({ media, ...draft }: z.infer<typeof Draft>): ChangedDraft => ({
  ...draft,
  category: draft.category as ChangedDraft['category'],
  media: media.map((item) => ({ ...item, file: null, poster: item.poster && { ...item.poster, file: null } })),
});

const accepting =
  <Given extends unknown[]>(
    given: z.ZodMiniType<Given>,
    act: (desk: DraftActions, ...given: Given) => Promise<unknown>,
  ) =>
  (desk: DraftActions, requested: unknown[]) => {
    const { data } = given.safeParse(requested);
    return data ? act(desk, ...data) : null;
  };

const ACTIONS: Record<keyof DraftActions, ReturnType<typeof accepting>> = {
  find: accepting(z.tuple([]), (desk) => desk.find()),
  makeLink: accepting(z.tuple([text, text]), (desk, name, until) => desk.makeLink(name, until)),
  changeLink: accepting(z.tuple([text, text, text]), (desk, link, name, until) => desk.changeLink(link, name, until)),
  revokeLink: accepting(z.tuple([text]), (desk, link) => desk.revokeLink(link)),
  sendBack: accepting(z.tuple([Draft, text]), (desk, draft, said) => desk.sendBack(withoutFiles(draft), said)),
  claim: accepting(z.tuple([]), (desk) => desk.claim()),
};

/** The link's secret is in an HttpOnly cookie. Takes `{ act, given }`, returns `{ answer }` or `{ reason, code }`. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { settings, data } = context.get(siteContext);
  try {
    const requested = (await readJson(request, LARGEST)) as { act?: unknown; given?: unknown } | null | undefined;
    if (typeof requested?.act !== 'string' || !Array.isArray(requested.given))
      return answer(400, { reason: 'Nothing was requested.' });
    const secret = draftSecret(request, settings.origin, params.id) ?? undefined;
    const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!Object.hasOwn(ACTIONS, requested.act)) return answer(400, { reason: 'Nothing of the kind can be done.' });
    const doing = ACTIONS[requested.act as keyof DraftActions](
      draftActions(data(secret, token), params.id),
      requested.given,
    );
    if (!doing) return answer(400, { reason: 'Something is missing.' });
    return answer(200, { answer: (await doing) ?? null });
  } catch (error) {
    if (error instanceof FormBodyError) return answer(error.status, { reason: error.message });
    if (error instanceof ApiError) return answer(statusOf(error), { reason: error.reason, code: error.code });
    throw error;
  }
}

const statusOf = ({ code, reason }: ApiError): number =>
  Number(/^PT(4\d\d)$/.exec(code ?? '')?.[1] ?? (code === '42501' ? 403 : reason ? 422 : 502));

const answer = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } });
