import { DownloadFile } from '#features/account/download-file.tsx';
import { readableSize } from '#features/media/model/upload.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SettingsSection } from './group.tsx';
import { downloadArchive } from './model/archive-download.ts';
import type { SetUnsaved } from './settings.tsx';
import './settings.css';

export function Archive({ isOwn, onUnsaved }: { isOwn: boolean; onUnsaved: SetUnsaved }) {
  const { say } = useStatus();
  return (
    <SettingsSection title="Download everything">
      {isOwn ? (
        <>
          <p className="field-hint">
            The file contains no passwords, second factors, sign-ins, draft links or keys. On a site started from the
            file, people choose a new password with a reset link, and webhooks need new secrets.
          </p>
          <p className="field-hint">It contains people’s names and email addresses, so store it safely.</p>
          <DownloadFile
            size="admin"
            label="Download everything"
            progressLabel="Download of everything"
            busyLabel="Getting everything ready..."
            fileName="everything"
            download={(...options) => downloadArchive(clients(), ...options)}
            onRunning={(running) => onUnsaved('archive', running)}
            onSaved={(file) => say(`Everything is in the file: ${readableSize(file.size)}.`)}
            onCancelled={say}
          />
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
