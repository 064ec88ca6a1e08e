import { data, href, redirect } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { contentIn, pageTags } from '#features/seo/model/page-meta.ts';
import { FormBodyError, readForm } from '#session/csrf.ts';
import { errorsIn, isTooMany, isTooQuick, messageIn, sendMessage } from '../model/contact-form.ts';
import { contact, contactPage } from '../words/contact.ts';
import type { Route } from './+types/contact';
import { ContactBlock, type PostcardState, WithAddress } from './block.tsx';
import '#ui/layout/utilities.css';

type Trouble = 'checkFields' | 'tooQuick' | 'tooMany' | 'failed' | 'notReadable';
type RejectedForm = Pick<PostcardState, 'values' | 'errors' | 'opened'> & { trouble: Trouble };

export function loader({ request }: Route.LoaderArgs) {
  const sent = new URL(request.url).searchParams.has('sent');
  // After `no-store`, Firefox would restore no typed message on Back.
  return data({ sent, opened: String(Date.now()) }, { headers: { 'cache-control': 'no-cache' } });
}

export async function action({ request, context }: Route.ActionArgs) {
  let fields: URLSearchParams;
  try {
    fields = await readForm(request, 256 * 1024);
  } catch (error) {
    if (error instanceof FormBodyError) return rejectForm(error.status, { trouble: 'notReadable' });
    throw error;
  }
  const thanks = redirect(`${href('/contact')}?sent`, 303);
  // Honeypot field: a bot gets the same response.
  if (fields.get('subject')) return thanks;
  const values = messageIn(fields);
  const opened = fields.get('opened') ?? '';
  const errors = errorsIn(values);
  if (Object.keys(errors).length > 0) return rejectForm(422, { trouble: 'checkFields', values, errors, opened });
  if (isTooQuick(opened, Date.now())) return rejectForm(422, { trouble: 'tooQuick', values, opened });
  try {
    await sendMessage(context.get(siteContext).data(), values);
    return thanks;
  } catch (error) {
    return isTooMany(error)
      ? rejectForm(429, { trouble: 'tooMany', values, opened }, { 'retry-after': '600' })
      : rejectForm(503, { trouble: 'failed', values, opened });
  }
}

const rejectForm = (status: number, what: RejectedForm, headers: Record<string, string> = {}) =>
  data(what, { status, headers: { 'cache-control': 'no-store', ...headers } });

export const headers: Route.HeadersFunction = ({ actionHeaders, loaderHeaders }) =>
  actionHeaders.has('cache-control') ? actionHeaders : loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { title, description, card } = contentIn(args, contactPage);
  return pageTags(args, { title: args.loaderData?.sent ? card.sentTitle : title, description });
};

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ContactBlock page state={actionData ? stateOf(actionData) : loaderData} />;
}

const stateOf = ({ trouble, ...rest }: RejectedForm): PostcardState => ({
  ...rest,
  notice:
    trouble === 'checkFields' || trouble === 'tooQuick' ? contact[trouble] : <WithAddress words={contact[trouble]} />,
});
