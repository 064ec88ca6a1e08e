import { useState } from 'react';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { MAX_LABEL_LENGTH } from '#lib/data/limits.ts';
import { CopyOnce } from '#ui/copy-button.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { UtcDay } from '#ui/time.tsx';
import type { DraftLink, Procedures } from './model/draft-links.ts';
import {
  changeDraftLink,
  dayIn,
  draftAddress,
  lastDayOf,
  linkStateOf,
  makeDraftLink,
  revokeDraftLink,
} from './model/draft-links.ts';
import './draft.css';

type DraftLinksProps = { id: string; links: DraftLink[]; data: Procedures; onChange: () => Promise<unknown> };

export function DraftLinks({ id, links, data, onChange }: DraftLinksProps) {
  const hydrated = useHydrated();
  const [made, setMade] = useState<{ name: string; address: string } | null>(null);
  const [editing, setEditing] = useState({ id: '', open: false });
  const [leaving, setLeaving] = useState<DraftLink | null>(null);
  const { busy, failure, run, reset } = useSubmit(words.failed);

  const stopEditing = () => setEditing(({ id }) => ({ id, open: false }));
  const withReload = (work: Promise<unknown>) => work.then(onChange);
  async function make(name: string, until: string) {
    const link = await makeDraftLink(data, id, name, until);
    setMade({ name, address: draftAddress(location.origin, id, link) });
  }

  return (
    <div className="stack">
      {made && (
        <CopyOnce text={made.address} label="Copy link">
          “{made.name}” is ready. Copy it now: it is not shown again.
        </CopyOnce>
      )}
      <ul className="hairline">
        {links.length === 0 && <li className="empty">There are no links yet.</li>}
        {links.map((link) => {
          const state = linkStateOf(link);
          return (
            <li className="gap-4 cluster apart hairline-below pad-y-3" key={link.id}>
              {editing.open && editing.id === link.id ? (
                <LinkForm
                  {...linkForm(true)}
                  start={{ name: link.name, until: lastDayOf(link) }}
                  save={({ name, until }) => withReload(changeDraftLink(data, link.id, name, until))}
                  onSaved={stopEditing}
                  onCancel={stopEditing}
                  submitLabel="Save"
                />
              ) : (
                <>
                  <p className="basis-12 anywhere shrink">
                    <strong className={state === 'open' ? undefined : 'regular quiet'}>{link.name}</strong>
                    {link.in_use && <span> (you came by this one)</span>}
                    <span className="block quiet">
                      {{ open: 'open until ', over: 'ended ', revoked: 'revoked' }[state]}
                      {state !== 'revoked' && <UtcDay at={lastDayOf(link)} />}
                      {link.last_opened_at ? ', last opened ' : ', never opened'}
                      {link.last_opened_at && <UtcDay at={link.last_opened_at} />}
                    </span>
                  </p>
                  {state !== 'revoked' && (
                    <div className="button-row">
                      <SmallButton
                        aria-label={`Change ${link.name}`}
                        disabled={!hydrated}
                        autoFocus={editing.id === link.id}
                        onClick={() => setEditing({ id: link.id, open: true })}
                      >
                        Change
                      </SmallButton>
                      <SmallButton
                        variant="danger"
                        aria-label={`Revoke ${link.name}`}
                        disabled={!hydrated}
                        onClick={() => {
                          reset();
                          setLeaving(link);
                        }}
                      >
                        Revoke
                      </SmallButton>
                    </div>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
      <details>
        <summary className="tap underlined">Make another link</summary>
        <LinkForm
          {...linkForm()}
          start={{ until: dayIn(30) }}
          save={({ name, until }) => withReload(make(name, until))}
          onSaved={(_, form) => form.reset()}
          submitLabel="Make the link"
        />
      </details>
      <ConfirmDialog
        open={leaving !== null}
        title="Revoke this link?"
        confirmLabel="Revoke link"
        busyLabel="Revoking..."
        busy={busy}
        error={failure}
        onCancel={() => setLeaving(null)}
        onConfirm={() =>
          leaving && run(() => withReload(revokeDraftLink(data, leaving.id).then(() => setLeaving(null))))
        }
      >
        <p>
          “{leaving?.name}” opens the draft no longer, for anybody who has it, and cannot be used again.
          {leaving?.in_use && ' You came here by it yourself: make another one first.'}
        </p>
      </ConfirmDialog>
    </div>
  );
}

const LinkForm = defineForm({
  fields: {
    name: { label: 'Name', hint: 'Who it is for.', required: true, maxLength: MAX_LABEL_LENGTH },
    until: { label: 'Last day', kind: 'date', required: true },
  },
  failed: words.failed,
});

const linkForm = (autoFocus = false) => ({
  className: 'grid bottom column-12 full pad-y-3',
  size: 'admin' as const,
  more: { name: { autoFocus }, until: { min: dayIn(0), max: dayIn(364) } },
});
