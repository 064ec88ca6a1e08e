import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { href } from 'react-router';
import { SignInHere } from '#features/account/sign-in-here.tsx';
import {
  BudgetInputs,
  CategoryInput,
  DateInputs,
  type Inputs,
  LineInputs,
  StatusInput,
  TagsInput,
  TextInputs,
} from '#features/projects/form/project-inputs.tsx';
import { checkFields, nativeFieldsIn } from '#features/projects/model/form.ts';
import { emptyUpload, NotAuthenticated, uploadProject } from '#features/projects/model/upload.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { admin } from '#lib/words/admin.ts';
import { clients } from '#session/browser.ts';
import { ownRole } from '#session/current-user.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { StatusRegion, useStatus } from '#ui/feedback/status.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { useRetryId } from '#ui/form/use-retry-id.ts';
import { requireFields, unreadableIn, useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { isStarted, MediaToAdd, nextIn, noMedia } from './upload-project/media-to-add.tsx';
import { uploadWords as words } from './words/upload.ts';

export const headers = () => privatePage;
export const meta = privateTags(words.title);

const UploadProject = () => (
  <StatusRegion>
    <UploadForm />
  </StatusRegion>
);
export default UploadProject;

/** Any visitor may open the page; the server accepts uploads from admins only. */
function UploadForm() {
  const form = useRef<HTMLFormElement>(null);
  const [next, setNext] = useState(noMedia);
  const [{ fields, media }, setUpload] = useState(emptyUpload);
  const submitButton = useRef<HTMLButtonElement>(null);
  const [round, setRound] = useState(0);
  const status = useStatus();
  const [refused, setRefused] = useState(false);
  const { busy, failure, wrong, submit, settle } = useSubmit(admin.failedToCreateProject);
  const idOf = useRetryId();
  const reason = useReasonToSignIn(refused);
  const inputs: Inputs = {
    fields,
    errors: wrong,
    set(change) {
      Object.keys(change).forEach(settle);
      setUpload((known) => ({ ...known, fields: { ...known.fields, ...change } }));
    },
  };
  useLayoutEffect(() => {
    const formData = new FormData(form.current!);
    setUpload((known) => ({ ...known, fields: { ...known.fields, ...nativeFieldsIn(formData) } }));
    setNext(nextIn(formData));
  }, []);

  async function send() {
    const upload = { fields, media, team: [] };
    const mediaUrl = isStarted(next) && words.unadded;
    requireFields({ ...checkFields(fields), ...unreadableIn(form.current), mediaUrl });
    try {
      await uploadProject(clients().data(), idOf([round, upload]), upload);
      setRefused(false);
    } catch (error) {
      setRefused(error instanceof NotAuthenticated);
      throw error;
    } finally {
      form.current?.parentElement?.scrollIntoView({ block: 'start' });
    }
  }
  function clear() {
    setUpload(emptyUpload());
    setNext(noMedia);
    setRound(round + 1);
    status.say('Project created successfully!');
  }
  function resume() {
    setRefused(false);
    submitButton.current?.focus();
  }

  const aside = reason && (
    <SignInHere title="Sign in as an admin" onSignedIn={resume}>
      {reason} What you write here stays.
    </SignInHere>
  );
  return (
    <WorkSheet title={words.title} aside={aside}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <form className="form-stack" ref={form} method="post" onSubmit={submit(send, clear)} noValidate>
        {/* New fields for the next project keep input typed during sending. */}
        <div className="form-stack" inert={busy} key={round}>
          <LineInputs {...inputs} />
          <TextInputs {...inputs} brief="Description" />
          <div className="grid gap-5 column-12">
            <CategoryInput {...inputs} />
            <StatusInput {...inputs} />
          </div>
          <TagsInput {...inputs} />
          <div className="grid gap-5 column-12">
            <DateInputs {...inputs} />
          </div>
          <BudgetInputs {...inputs} />
          <MediaToAdd
            next={next}
            onNext={setNext}
            media={media}
            error={wrong['mediaUrl']}
            onMedia={(change) => setUpload((known) => ({ ...known, media: change(known.media) }))}
            onType={() => settle('mediaUrl')}
          />
        </div>
        <SubmitButton ref={submitButton} busy={busy} busyLabel="Creating...">
          Create project
        </SubmitButton>
      </form>
      <div className="work-links">
        <a href={href('/')}>Back to Home</a>
      </div>
    </WorkSheet>
  );
}

function useReasonToSignIn(refused: boolean): string | null {
  const user = useSignedIn();
  const [known, setKnown] = useState<{ user: typeof user; canUpload: boolean } | null>(null);
  useEffect(() => {
    if (user) void ownRole().then((role) => setKnown({ user, canUpload: role !== null }), console.warn);
  }, [user]);
  if (user === null) return 'You are not signed in, and only admins and editors can upload projects.';
  if (user && known?.user === user && !known.canUpload)
    return `You are signed in as ${user.email}, who is neither an admin nor an editor.`;
  return refused ? 'The server did not accept your sign-in.' : null;
}
