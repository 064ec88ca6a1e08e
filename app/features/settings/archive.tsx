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
import { Button } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import type { loader } from '../../root.tsx';
import './settings.css';
import { SettingsSection } from './group.tsx';
import type { SetUnsaved } from './settings-screen.tsx';

export function Archive({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    <SettingsSection title={words.title}>
      {site?.supabase.own ? (
        <>
          <p className="field-hint">{words.outside}</p>
          <p className="field-hint">{words.careful}</p>
          <ArchiveDownload onUnsaved={onUnsaved} />
        </>
      ) : (
        <p className="field-hint">{words.hosted}</p>
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
      say(words.done(readableSize(file.size)));
    } catch (error) {
      if (controller.signal.aborted) say(words.stopped);
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
        <SignInHere title={words.signInAgain} onSignedIn={() => void download()}>
          {words.signInWhy}
        </SignInHere>
      )}
      <div className="cluster">
        <Button
          size="admin"
          ref={button}
          busy={progress !== null}
          busyLabel={hasStarted ? words.downloading : words.preparing}
          onClick={download}
        >
          {words.button}
        </Button>
        {progress && (
          <Button
            variant="secondary"
            size="admin"
            onClick={() => {
              running.current?.abort();
              button.current?.focus();
            }}
          >
            {words.stop}
          </Button>
        )}
      </div>
      {hasStarted && (
        <div className="stack gap-2 archive-progress figures">
          <progress aria-label={words.progress} max={progress.about} value={progress.got} />
          <p>{words.soFar(readableSize(progress.got), readableSize(progress.about))}</p>
        </div>
      )}
    </>
  );
}
