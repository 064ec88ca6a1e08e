import { useState } from 'react';
import { createPortal } from 'react-dom';
import { deleteProject } from '#features/projects/model/write.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import { RestorableFor } from './restorable-for.tsx';

export function DeleteExperiments({ places, onDeleted }: { places: Map<string, Element>; onDeleted: () => void }) {
  const [chosen, choose] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function remove() {
    if (!chosen) return;
    setBusy(true);
    setError(null);
    try {
      await deleteProject(clients().data(), chosen, '');
      choose(null);
      onDeleted();
    } catch (failure) {
      setError(messageOf(failure, messages.failedToDeleteExperiment));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {[...places].map(([id, place]) =>
        createPortal(
          <button
            className="button button-danger button-admin delete-button"
            type="button"
            onClick={() => {
              setError(null);
              choose(id);
            }}
          >
            <Icon name="trash" />
            Delete<span className="hidden-text"> {nameOf(place)}</span>
          </button>,
          place,
          id,
        ),
      )}
      <ConfirmDialog
        open={chosen !== null}
        title={messages.deleteTitle}
        confirmLabel={messages.deleteConfirm}
        busyLabel={messages.deleting}
        busy={busy}
        error={error}
        onConfirm={remove}
        onCancel={() => choose(null)}
      >
        <p>{messages.deleteQuestion}</p>
        <RestorableFor open={chosen !== null} />
      </ConfirmDialog>
    </>
  );
}

const nameOf = (place: Element) => place.querySelector('h2')?.textContent ?? 'this experiment';
