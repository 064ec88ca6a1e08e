import { type AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { storedCredits } from '#features/credits/model/credits.ts';
import { creditsOf } from '#features/credits/model/rows.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import { withRetry } from '#lib/data/retry.ts';
import { answered, readOne } from '#lib/data/rows.ts';
import { submissionWords as words } from '../words/submission.ts';
import { isComplete, type Outcome, SignedOutError } from './outcome.ts';
import { descriptionOf, isSameContent, isUploaded, isWhole, type Submission, sourcesIn } from './submission.ts';
import type { SubmissionStore } from './submission-reducer.ts';

/** Used when the guest account's id is unknown. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';
const RETRY_DELAYS_MS = [400, 1200];

export interface FlowServices {
  auth: Pick<InstanceType<typeof AuthClient>, 'getSession'>;
  data: (headers: Record<string, string>) => PostgrestClient;
  /** Without the session, only the draft that the secret opens is visible. */
  dataForGuest: (headers: Record<string, string>) => PostgrestClient;
  /** Completes the uploads and returns the items; a failed one has no address. */
  finishUploads: () => Promise<Submission['media']>;
  signal?: AbortSignal;
  /** Whether an earlier attempt may have stored parts. */
  isRepeated?: boolean;
  /** Id of the account that the draft was written in; null when the user has chosen to send it as a guest. */
  author?: string | null;
}

type FormServices = Pick<FlowServices, 'auth' | 'data' | 'finishUploads'> & { key: string; signal: AbortSignal };

/** Sends the content of the submit form. @param save stores the draft on the device. @throws as `sendSubmission` */
export async function sendSubmissionOf(form: SubmissionStore, services: FormServices, save: () => Promise<void>) {
  const { mayBeOnServer } = form.state;
  const outcome = await sendLatest(form, services, mayBeOnServer);
  if (!outcome.closed || !mayBeOnServer || services.signal.aborted) return outcome;
  // The earlier draft accepts no more changes: a second draft is better than lost text.
  const ids = new Map(form.state.submission.media.map(({ id }) => [id, newId()]));
  form.dispatch({ type: 'renewed', secret: newSecret(), ids });
  await save();
  return sendLatest(form, services, false);
}

/** What is edited while its parts are sent is sent again. */
async function sendLatest(form: SubmissionStore, services: FormServices, mayBeStored: boolean): Promise<Outcome> {
  const { key, data, auth, finishUploads, signal } = services;
  const dataForGuest = (headers: Record<string, string>) => data({ ...headers, authorization: `Bearer ${key}` });
  const { secret, author, asGuest } = form.state;
  const flow = { auth, data, dataForGuest, finishUploads, signal, author: asGuest ? null : author?.id };
  const onStep = (step: Step) => form.dispatch({ type: 'set', part: { step: STEP_LABELS[step] } });
  for (let isRepeated = mayBeStored; ; isRepeated = true) {
    let sent = form.state.submission;
    const latest = () => {
      sent = form.state.submission;
      return sent;
    };
    const outcome = await sendSubmission(latest, secret, { ...flow, isRepeated }, onStep);
    if (!isComplete(outcome) || isSameContent(sent, form.state.submission)) return outcome;
  }
}

const STEP_LABELS = {
  session: 'Checking who you are',
  guest: 'Checking who you are',
  uploads: 'Waiting for the pictures to arrive',
  project: 'Creating the draft',
  media: 'Attaching the pictures',
  metadata: 'Storing the texts',
};

export type Step = keyof typeof STEP_LABELS;

/**
 * Idempotent: after a crash in any step, sending it again with the same secret resumes.
 * @param latest read once the uploads have finished, because the form can be edited until then
 * @throws SignedOutError when it was written in an account that is not signed in
 * @throws ApiError when the project cannot be created; later failures are logged and skipped
 */
export async function sendSubmission(
  latest: () => Submission,
  secret: string,
  services: FlowServices,
  onStep: (step: Step) => void = () => {},
): Promise<Outcome> {
  const headers = { 'x-draft-secret': secret };
  const data = services.data(headers);
  const beginStep = (step: Step) => {
    services.signal?.throwIfAborted();
    onStep(step);
  };
  beginStep('session');
  const userId = await sessionUser(services.auth);
  if (services.author && services.author !== userId) throw new SignedOutError('Not sent: you are signed out.');
  beginStep('guest');
  const submitter = userId ?? (await guestId(data).catch(() => null));
  beginStep('uploads');
  const items = await services.finishUploads();
  const submission = latest();
  const media = items.filter(isUploaded);
  beginStep('project');
  const id = await createProject({ data, guest: services.dataForGuest(headers) }, submission, submitter);
  beginStep('media');
  // Sent first, so that admins can write to the author of an incomplete submission.
  await leaveContact(data, id, submission.contact.trim(), services.isRepeated);
  const storedCount = await addMedia(data, id, media, services);
  beginStep('metadata');
  const texts = await saveMetadata(data, id, submission);
  const refusals = [...storedCount.refusals, ...texts.refusals];
  return {
    id,
    asGuest: !userId,
    media: { stored: storedCount.done, of: items.length },
    textsStored: texts.stored,
    unfinished: refusals.some(isPassing) || sourcesIn(items).some(({ file }) => file?.failure?.final === false),
    closed: refusals.some(({ code }) => code === NOT_ALLOWED),
    lost: refusals.some(({ status }) => status === 0),
  };
}

async function sessionUser(auth: FlowServices['auth']): Promise<string | null> {
  const { data, error } = await auth.getSession();
  // A user whose session cannot be renewed right now is not a guest.
  if (error && isAuthRetryableFetchError(error)) throw new ApiError(`TypeError: ${error.message}`);
  return data.session?.user.id ?? null;
}

async function guestId(data: PostgrestClient): Promise<string | null> {
  const id = await readOne(data.rpc('get_guest_user_id'));
  return typeof id === 'string' && id ? id : null;
}

/** `guest`: without the session. */
type Access = { data: PostgrestClient; guest: PostgrestClient };

async function createProject({ data, guest }: Access, submission: Submission, submitter: string | null) {
  const client = submission.client.trim() || null;
  const project = { title: submission.title.trim(), description: submission.brief, client, status: 'draft' };
  const create = () => data.rpc('create_case_study', { ...project, submitter_id: submitter ?? NIL_ID });
  let { data: id, error } = await create();
  // Idempotent by its secret, so the call is repeated when no response came.
  if (isUnanswered(error)) ({ data: id, error } = await create());
  if (!error && typeof id === 'string') return id;
  if (isUnanswered(error)) throw new ApiError(error!.message);
  console.warn('create_case_study failed, inserting directly:', error?.message ?? words.noData);
  return insertProject({ data, guest }, { ...project, created_by: submitter ?? (await serviceAccount(data)) });
}

const isUnanswered = (error: { message: string } | null) => error !== null && new ApiError(error.message).lost;

async function insertProject({ data, guest }: Access, project: object): Promise<string> {
  // The earlier call may have succeeded although its response was lost.
  const created = await heldDraft(guest);
  if (created) return created;
  // A guest may not read the row back in the same call; the secret finds it afterwards.
  const answer = await data.from('projects').insert(project);
  if (!answer.error || !isDuplicate({ ...answer.error, status: answer.status })) answered(answer);
  const id = await heldDraft(guest);
  if (!id) throw new ApiError(words.noData);
  return id;
}

async function heldDraft(guest: PostgrestClient): Promise<string | null> {
  const { data: rows } = await guest.from('projects').select('id').eq('status', 'draft').limit(1);
  return (rows as { id: string }[] | null)?.[0]?.id ?? null;
}

async function serviceAccount(data: PostgrestClient): Promise<string> {
  try {
    return (await guestId(data)) ?? NIL_ID;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason)) throw error;
    throw new Error(`Could not get service account: ${error.reason}`);
  }
}

async function addMedia(data: PostgrestClient, projectId: string, media: Submission['media'], services: FlowServices) {
  let isRepeated = services.isRepeated ?? false;
  const stored: object[] = [];
  let done = 0;
  const refusals: Refusal[] = [];
  for (const [order, item] of media.entries()) {
    const row = { id: item.id, type: item.type, url: item.url, ...descriptionOf(item) };
    const added = { ...row, project_id: projectId, description: null, order };
    const refusal = await refusalOf(() => data.from('project_media').insert(added));
    const isStored = refusal !== null && isDuplicate(refusal);
    isRepeated ||= isStored;
    if (!refusal || isStored) {
      stored.push(row);
      if (isWhole(item)) done += 1;
    } else {
      console.warn(`media item ${order + 1} was not added:`, refusal.message);
      refusals.push(refusal);
    }
    // A stopped attempt must not overwrite what the next one sends.
    services.signal?.throwIfAborted();
  }
  // Since an interrupted attempt, items may have been removed, moved and changed.
  if (isRepeated) {
    const refusal = await refusalOf(() => data.rpc('replace_draft_media', { p_project: projectId, p_media: stored }));
    if (refusal) refusals.push(refusal);
  }
  return { done, refusals };
}

async function saveMetadata(data: PostgrestClient, projectId: string, submission: Submission) {
  const { brief, understanding, actions, impact, category, tags } = submission;
  const credits = storedCredits(creditsOf(submission.credits));
  const args = { p_id: projectId, p_understanding: understanding, p_actions: actions, p_impact: impact };
  const texts = await refusalOf(() => data.rpc('save_case_study_metadata', args));
  // The procedure accepts three texts only (DEC-05); other fields are written to the table with the same rights.
  const row = { project_id: projectId, brief, category: category || null };
  const save = (part: object) =>
    refusalOf(() => data.from('case_study_metadata').upsert({ ...row, ...part }, { onConflict: 'project_id' }));
  const rest = await save({ tags, credits });
  // A part that the server rejects must not prevent storing the others.
  if (rest?.status === 422) for (const part of [{}, { tags }, { credits }]) await save(part);
  const refusals = [texts, rest].filter((refusal) => refusal !== null);
  for (const { message } of refusals) console.warn('metadata was not saved:', message);
  return { stored: refusals.length === 0, refusals };
}

/** Optional: a failure is only logged. An empty address withdraws that of an earlier attempt. */
async function leaveContact(data: PostgrestClient, projectId: string, address: string, mayWithdraw = false) {
  if (!address && !mayWithdraw) return;
  const refusal = await refusalOf(() => data.rpc('leave_contact', { p_project: projectId, p_email: address }));
  if (refusal) console.warn('the address was not kept:', refusal.message);
}

type Refusal = { message: string; code: string; status: number };

type Answer = { error: Omit<Refusal, 'status'> | null; status: number };

/** Makes an idempotent call with retries. Null when it succeeded. */
async function refusalOf(call: () => PromiseLike<Answer>): Promise<Refusal | null> {
  const hasPassingError = (answer: Answer) => answer.error !== null && isPassing(answer);
  const { error, status } = await withRetry(call, RETRY_DELAYS_MS, { answer: hasPassingError });
  return error && { message: error.message, code: error.code, status };
}

/** No response, a server error, or rate limited: a retry may succeed. */
const isPassing = ({ status }: Pick<Refusal, 'status'>) => status === 0 || status === 429 || status >= 500;

const NOT_ALLOWED = '42501';
const UNIQUE_VIOLATION = '23505';
const isDuplicate = ({ code, status }: Pick<Refusal, 'code' | 'status'>) => code === UNIQUE_VIOLATION || status === 409;
