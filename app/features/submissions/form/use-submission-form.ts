import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Uploads } from '#features/media/uploads.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { backendOf, hasStoredSession } from '#session/stored.ts';
import { watchUser } from '#session/use-signed-in.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Submission } from '../model/submission.ts';
import { filledInBefore } from './filled-in.ts';
import { SubmissionForm } from './form.ts';
import type { Stored } from './form-services.ts';
import { type FormState, unkeptOf, untouched } from './form-state.ts';

export interface Changing {
  stored: Stored;
  send: (submission: Submission) => Promise<Outcome>;
}

const nothing = () => () => {};
const atFirst = () => untouched;

/** The form's state for this page. @param changing a stored draft; constant for the page's lifetime */
export function useSubmissionForm(changing?: Changing): {
  state: FormState;
  form: SubmissionForm | null;
  alive: boolean;
  element: RefObject<HTMLFormElement | null>;
} {
  const [form, setForm] = useState<SubmissionForm | null>(null);
  const state = useSyncExternalStore(form?.subscribe ?? nothing, form?.snapshot ?? atFirst, atFirst);

  const given = useRef(changing);
  const element = useRef<HTMLFormElement>(null);
  // In the layout effect: a rerender would clear input typed before hydration.
  useLayoutEffect(() => {
    const made = makeForm(given.current);
    setForm(made);
    const filledIn = filledInBefore(new FormData(element.current!));
    if (Object.keys(filledIn).length > 0) made.change(filledIn);
    void made.start();
    // A stored draft is sent with its link's or its account's rights.
    const unwatch = given.current
      ? () => {}
      : watchUser((user) => {
          // A session that cannot be renewed right now has not ended.
          if (user || !hasStoredSession()) made.userIs(user?.email ?? null);
        });
    const leave = () => made.device.flush();
    document.addEventListener('visibilitychange', made.turn);
    addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', made.turn);
      removeEventListener('pagehide', leave);
      unwatch();
      made.release();
    };
  }, []);

  // No confirmation while everything is saved, or can be saved on unload.
  const unkept = unkeptOf(state).length > 0;
  const unsaved = state.phase !== 'submitted' && (unkept || state.saved === 'saving' || state.saved === 'impossible');
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (unkept || !form?.device.flushes) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved, unkept, form]);

  return { state, form, alive: form !== null, element };
}

/** Timeout in ms. */
const REACH = 8000;

const loaded = <Module>(loading: Promise<Module>): Promise<Module> =>
  loading.catch((error: unknown) => {
    throw new ApiError(`TypeError: ${error}`);
  });

const loadSending = async () =>
  (await loaded(Promise.all([import('./send-new.ts'), import('../submitted/submitted.tsx')])))[0];

/** null without a session, which needs no identity client. */
async function token(): Promise<string | null> {
  if (!hasStoredSession()) return null;
  const { clients } = await loaded(import('#session/browser.ts'));
  return (await clients().auth.getSession()).data.session?.access_token ?? null;
}

function makeForm(changing: Changing | undefined): SubmissionForm {
  const { url, key } = backendOf(document);
  return new SubmissionForm(
    {
      send: changing
        ? async ({ submission, finishUploads, signal }) => {
            await finishUploads();
            signal.throwIfAborted();
            return changing.send(submission());
          }
        : async (sending) => (await loadSending()).sendNew(sending),
      prepare: () => void (changing || loadSending().catch(() => {})),
      // Other responses may come from a captive portal.
      reached: () =>
        fetch(`${url}/auth/v1/health`, {
          headers: { apikey: key },
          cache: 'no-store',
          signal: AbortSignal.timeout(REACH),
        })
          .then(async (answer) => answer.ok && typeof (await answer.json()) === 'object')
          .catch(() => false),
      uploads: (events) => new Uploads({ url, key, token }, events),
      publicUrl: (bucket, path) => `${url}/storage/v1/object/public/${bucket}/${path}`,
    },
    changing?.stored,
  );
}
