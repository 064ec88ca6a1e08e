import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { readableSize } from '#features/media/model/upload.ts';
import { reasonOf } from '#lib/data/api-error.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { saveFile } from '#ui/save-file.ts';
import { needsSignIn, SignInHere } from './sign-in-here.tsx';
import { downloadWords as words } from './words.ts';

interface DownloadFileProps {
  label: string;
  busyLabel: string;
  progressLabel: string;
  fileName: string;
  size?: ComponentProps<typeof Button>['size'];
  download: (signal: AbortSignal, onProgress: (got: number, about?: number) => void) => Promise<Blob>;
  onRunning: (running: boolean) => void;
  onSaved: (file: Blob) => void;
  onCancelled: (message: string) => void;
}

export function DownloadFile(props: DownloadFileProps) {
  const { label, busyLabel, progressLabel, fileName, size, download, onRunning, onSaved, onCancelled } = props;
  const [progress, setProgress] = useState<{ got: number; about?: number | undefined }>({ got: 0 });
  const { busy, failure, error, run } = useSubmit(words.failed, reasonOf);
  const running = useRef<AbortController>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setProgress({ got: 0 });
    onRunning(true);
    await run(
      () =>
        download(signal, (got, about) => setProgress({ got, about })).catch((error) => {
          if (!signal.aborted) throw error;
        }),
      (file) => {
        if (!file) return onCancelled('The download was cancelled. Nothing was saved.');
        saveFile(file, `${fileName}-${new Date().toISOString().slice(0, 10)}.tar`);
        onSaved(file);
      },
    );
    onRunning(false);
  }

  function cancel() {
    running.current?.abort();
    button.current?.focus();
  }

  const { got, about } = progress;
  const hasStarted = busy && got > 0;
  const busyWords = hasStarted ? 'Downloading...' : busyLabel;
  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      {needsSignIn(error) && (
        <SignInHere title="Sign in again" onSignedIn={() => void start()}>
          The download starts after you sign in.
        </SignInHere>
      )}
      <div className="cluster">
        <Button size={size} ref={button} busy={busy} busyLabel={busyWords} onClick={start}>
          {label}
        </Button>
        {busy && (
          <Button variant="secondary" size={size} onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {hasStarted && (
        <div className="stack gap-2 measure-52 figures">
          <progress className="full" aria-label={progressLabel} max={about} value={about && got} />
          <p>
            {readableSize(got)}
            {about !== undefined && ` of about ${readableSize(about)}`}
          </p>
        </div>
      )}
    </>
  );
}
