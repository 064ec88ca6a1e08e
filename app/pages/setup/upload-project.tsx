import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { href } from 'react-router';
import { admin } from '../../copy/admin/admin.ts';
import { uploadWords as words } from '../../copy/admin/upload.ts';
import { newId } from '../../models/data/ids.ts';
import { checkFields } from '../../models/project/form.ts';
import { emptyUpload, NotAuthenticated, type Upload, uploadProject } from '../../models/project/upload.ts';
import { pageTags } from '../../models/seo/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { isAdmin } from '../../session/current-user.ts';
import { privatePage } from '../../session/private-page.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { StatusRegion, useStatus } from '../../ui/feedback/status.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { requireFields, useSubmit } from '../../ui/form/use-submit.ts';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/upload-project';
import { SignInHere } from './sign-in-here.tsx';
import { mediaIn, projectIn } from './upload-project/filled-in.ts';
import { emptyMedia, isTyped, MediaToAdd } from './upload-project/media-to-add.tsx';
import { ProjectFieldset } from './upload-project/project-fields.tsx';
import './upload-project/upload-project.css';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const UploadProject = () => (
  <StatusRegion>
    <UploadForm />
  </StatusRegion>
);
export default UploadProject;

/** One form, one call: a project with its media. Anybody may open it; the server takes it from admins. */
function UploadForm() {
  const [upload, setUpload] = useState(emptyUpload);
  const [next, setNext] = useState(emptyMedia);
  const [round, setRound] = useState(0);
  const [refused, setRefused] = useState(false);
  const status = useStatus();
  const { busy, failure, wrong, submit, settle } = useSubmit(admin.failedToCreateProject);
  const form = useRef<HTMLFormElement>(null);
  // The same upload keeps its id, so a second try makes nothing twice. After a change it is another upload: the first
  // may have got through.
  const sent = useRef({ upload, id: newId() });
  const reason = useReasonToSignIn(refused);
  const change = (changed: (known: Upload) => Partial<Upload>) =>
    setUpload((known) => ({ ...known, ...changed(known) }));

  // What was filled in before the page came to life.
  useLayoutEffect(() => {
    const filledIn = new FormData(form.current!);
    setUpload((known) => ({ ...known, fields: { ...known.fields, ...projectIn(filledIn) } }));
    setNext(mediaIn(filledIn));
  }, []);

  async function send() {
    requireFields({ ...checkFields(upload.fields), mediaUrl: isTyped(next) && words.unadded });
    if (sent.current.upload !== upload) sent.current = { upload, id: newId() };
    try {
      await uploadProject(clients().data(), sent.current.id, upload);
      setRefused(false);
    } catch (error) {
      setRefused(error instanceof NotAuthenticated);
      throw error;
    } finally {
      form.current?.closest('.work-sheet')?.scrollIntoView({ block: 'start' });
    }
  }
  function clear() {
    setUpload(emptyUpload());
    setRound(round + 1);
    status.say(words.created);
  }

  return (
    <WorkSheet
      title={words.title}
      aside={
        reason && (
          <SignInHere
            title="Sign in as an admin"
            onSignedIn={() => {
              setRefused(false);
              form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
            }}
          >
            {reason} What you write here stays.
          </SignInHere>
        )
      }
    >
      {failure && <Banner kind="error">{failure}</Banner>}
      <form className="form-stack" ref={form} method="post" onSubmit={submit(send, clear)} noValidate>
        {/* What is typed while the form is on its way would be lost when it is cleared. */}
        <div className="form-stack" inert={busy}>
          <ProjectFieldset upload={upload} round={round} errors={wrong} onChange={change} />
          <MediaToAdd
            media={upload.media}
            next={next}
            error={wrong['mediaUrl'] ?? null}
            onMedia={(changed) => change((known) => ({ media: changed(known.media) }))}
            onNext={(typed) => {
              setNext(typed);
              settle('mediaUrl');
            }}
          />
        </div>
        <SubmitButton busy={busy} busyLabel="Creating...">
          Create Project
        </SubmitButton>
      </form>
      <div className="work-links">
        <a href={href('/')}>{words.backHome}</a>
      </div>
    </WorkSheet>
  );
}

/** Why signing in is offered; null for admins, and until that is known. */
function useReasonToSignIn(refused: boolean): string | null {
  const user = useSignedIn();
  const [known, setKnown] = useState<{ user: typeof user; admin: boolean } | null>(null);
  useEffect(() => {
    if (user) void isAdmin().then((admin) => setKnown({ user, admin }), console.warn);
  }, [user]);
  if (user === null) return words.nobody;
  if (user && known?.user === user && !known.admin) return words.person(user.email);
  return refused ? words.over : null;
}
