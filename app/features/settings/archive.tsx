import { useEffect, useRef, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { ArchiveError, downloadArchive } from '#features/archive/model/archive-download.ts';
import { archiveWords as words } from '#features/archive/words.ts';
import { readableSize } from '#features/media/model/upload.ts';
import { SignInHere } from '#features/setup/sign-in-here.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import type { loader } from '../../root.tsx';
import './settings.css';
import { SettingsSection } from './group.tsx';
import type { SetUnsaved } from './settings-screen.tsx';

export function Archive({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    <SettingsSection title="Download everything">
      {site?.supabase.own ? (
        <>
          <p className="field-hint">
            The file contains no passwords, second factors, sign-ins, draft links or keys. On a site started from the
            file, people choose a new password with a reset link.
          </p>
          <p className="field-hint">It contains people’s names and email addresses, so store it safely.</p>
          <ArchiveDownload onUnsaved={onUnsaved} />
        </>
      ) : (
        <p className="field-hint">
          This site’s data is stored by a hosting service, so there is no button here: its dashboard downloads the
          database and the files, and backs them up.
        </p>
      )}
    </SettingsSection>
  );
}

function ArchiveDownload({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const { say } = useStatus();
  const [progress, setProgress] = useState<{ got: number; about: number } | null>(null);
  const [failure, setFailure] = useState<ArchiveError | null>(null);
  const running = useRef<AbortController | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function download() {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setProgress({ got: 0, about: 0 });
    onUnsaved('archive', true);
    try {
      const { url, key, auth } = clients();
      const { data } = await auth.getSession();
      const place = { url, key, token: data.session?.access_token ?? null };
      const file = await downloadArchive(place, controller.signal, (got, about) => setProgress({ got, about }));
      saveFile(file, `everything-${new Date().toISOString().slice(0, 10)}.tar`);
      say(`Everything is in the file: ${readableSize(file.size)}.`);
    } catch (error) {
      if (controller.signal.aborted) say('The download was cancelled. Nothing was saved.');
      else setFailure(error instanceof ArchiveError ? error : new ArchiveError(messageOf(error, words.failed)));
    } finally {
      setProgress(null);
      onUnsaved('archive', false);
    }
  }

  const hasStarted = progress !== null && progress.got > 0;
  return (
    <>
      {failure && <Banner kind="error">{failure.message}</Banner>}
      {failure?.signInAgain && (
        <SignInHere title="Sign in again" onSignedIn={() => void download()}>
          The download starts after you sign in.
        </SignInHere>
      )}
      <div className="cluster">
        <SmallButton
          variant="primary"
          ref={button}
          busy={progress !== null}
          busyLabel={hasStarted ? 'Downloading...' : 'Getting everything ready...'}
          onClick={download}
        >
          Download everything
        </SmallButton>
        {progress && (
          <SmallButton
            onClick={() => {
              running.current?.abort();
              button.current?.focus();
            }}
          >
            Cancel
          </SmallButton>
        )}
      </div>
      {hasStarted && (
        <div className="stack gap-2 archive-progress figures">
          <progress aria-label="Download of everything" max={progress.about} value={progress.got} />
          <p>
            {readableSize(progress.got)} of about {readableSize(progress.about)}
          </p>
        </div>
      )}
    </>
  );
}
