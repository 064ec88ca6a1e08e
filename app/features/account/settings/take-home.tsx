import { useState } from 'react';
import { readableSize } from '#features/media/model/upload.ts';
import { clients } from '#session/browser.ts';
import { DownloadFile } from '../download-file.tsx';
import { makeOwnArchive } from '../model/own-archive.ts';
import { useUser } from '../require-sign-in.tsx';
import { AccountPart } from './part.tsx';

export function TakeHome() {
  const { id } = useUser();
  const [done, setDone] = useState<string | null>(null);
  return (
    <AccountPart title="Your data" done={done}>
      <p className="account-small regular quiet">
        One file with your account, your experiments and drafts with their pictures and videos, your statements, our
        answers to you, your comments, the messages you sent us, and the log of what you did. Passwords and secret keys
        are not in it.
      </p>
      <DownloadFile
        label="Download my data"
        busyLabel="Getting your data ready..."
        progressLabel="Download of your data"
        fileName="my-data"
        download={(signal, onProgress) => makeOwnArchive(clients().url, clients().data(), id, signal, onProgress)}
        onRunning={(running) => running && setDone(null)}
        onSaved={(file) => setDone(`Your data is in the file: ${readableSize(file.size)}.`)}
        onCancelled={setDone}
      />
    </AccountPart>
  );
}
