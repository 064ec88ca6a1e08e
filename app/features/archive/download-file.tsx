import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { SignInHere } from '#features/account/sign-in-here.tsx';
import { readableSize } from '#features/media/model/upload.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { ArchiveError } from './model/archive-download.ts';
import { archiveWords as words } from './words.ts';

export function DownloadFile({
  label,
  busyLabel,
  progressLabel,
  fileName,
  size,
  download,
  onRunning,
  onSaved,
  onCancelled,
}: {
  label: string;
  busyLabel: string;
  progressLabel: string;
  fileName: string;
  size?: ComponentProps<typeof Button>['size'];
  download: (signal: AbortSignal, onProgress: (got: number, about?: number) => void) => Promise<Blob>;
  onRunning?: (running: boolean) => void;
  onSaved: (file: Blob) => void;
  onCancelled: (message: string) => void;
}) {
  const [progress, setProgress] = useState<{ got: number; about?: number | undefined } | null>(null);
  const [failure, setFailure] = useState<ArchiveError | null>(null);
  const running = useRef<AbortController | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run() {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setProgress({ got: 0 });
    onRunning?.(true);
    try {
      const file = await download(controller.signal, (got, about) => setProgress({ got, about }));
      saveFile(file, `${fileName}-${new Date().toISOString().slice(0, 10)}.tar`);
      onSaved(file);
    } catch (error) {
      if (controller.signal.aborted) onCancelled(words.cancelled);
      else setFailure(error instanceof ArchiveError ? error : new ArchiveError(messageOf(error, words.failed)));
    } finally {
      setProgress(null);
      onRunning?.(false);
    }
  }

  const hasStarted = progress !== null && progress.got > 0;
  return (
    <>
      {failure && <Banner kind="error">{failure.message}</Banner>}
      {failure?.signInAgain && (
        <SignInHere title="Sign in again" onSignedIn={() => void run()}>
          The download starts after you sign in.
        </SignInHere>
      )}
      <div className="cluster">
        <Button
          size={size}
          ref={button}
          busy={progress !== null}
          busyLabel={hasStarted ? 'Downloading...' : busyLabel}
          onClick={run}
        >
          {label}
        </Button>
        {progress && (
          <Button
            variant="secondary"
            size={size}
            onClick={() => {
              running.current?.abort();
              button.current?.focus();
            }}
          >
            Cancel
          </Button>
        )}
      </div>
      {hasStarted && (
        <div className="stack gap-2 measure-52 figures">
          <progress
            className="full"
            aria-label={progressLabel}
            max={progress.about}
            value={progress.about && progress.got}
          />
          <p>
            {readableSize(progress.got)}
            {progress.about !== undefined && ` of about ${readableSize(progress.about)}`}
          </p>
        </div>
      )}
    </>
  );
}
