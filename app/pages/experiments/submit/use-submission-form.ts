import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { clients } from '../../../session/browser.ts';
import { SubmissionForm } from './form.ts';
import type { FormServices, Stored } from './form-services.ts';
import { type FormState, untouched } from './form-state.ts';
import { Uploads } from './uploads.ts';

/** A stored draft that is changed instead of a new one that is made. */
export interface Changing {
  stored: Stored;
  send: NonNullable<FormServices['send']>;
}

const nothing = () => () => {};
const atFirst = () => untouched;

/**
 * The form's memory for this page. `alive` once the page can act.
 * @param changing a stored draft and how it is sent back; the same for as long as the page lives
 */
export function useSubmissionForm(changing?: Changing): {
  state: FormState;
  form: SubmissionForm | null;
  alive: boolean;
} {
  const [form, setForm] = useState<SubmissionForm | null>(null);
  const state = useSyncExternalStore(form?.subscribe ?? nothing, form?.snapshot ?? atFirst, atFirst);

  const given = useRef(changing);
  useEffect(() => {
    const made = makeForm(given.current);
    setForm(made);
    void made.start();
    const leave = () => made.leave();
    document.addEventListener('visibilitychange', leave);
    addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('pagehide', leave);
      made.leave();
      made.release();
    };
  }, []);

  return { state, form, alive: form !== null };
}

function makeForm(changing: Changing | undefined): SubmissionForm {
  const { url, key, auth, data, storage } = clients();
  const token = async () => (await auth.getSession()).data.session?.access_token ?? null;
  return new SubmissionForm(
    {
      auth,
      data,
      dataForGuest: (headers) => data({ ...headers, authorization: `Bearer ${key}` }),
      uploads: (events) => new Uploads({ url, key, token }, events),
      publicUrl: (bucket, path) => storage.from(bucket).getPublicUrl(path).data.publicUrl,
      ...(changing && { send: changing.send }),
    },
    changing?.stored,
  );
}
