import { useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { MediaFigure } from '#features/portfolio/detail/media-figure.tsx';
import { nestedHeadings } from '#features/portfolio/detail/story-html.ts';
import type { Project } from '#features/projects/model/read.ts';
import { TEXTS } from '#features/submissions/model/submission.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { RichText } from '#ui/rich-text.tsx';
import { localDay } from '#ui/time.tsx';
import type { DraftAccess } from '../model/draft-actions.ts';
import { addComment, approveDraft, type DraftRoom, placeName, resolveComment, threadsOf } from '../model/draft-room.ts';
import { CommentForm, notSent } from './comment-form.tsx';
import { Thread, type ThreadActions } from './thread.tsx';

type RoomProps = { experiment: Project; room: DraftRoom; access: DraftAccess; reload: () => Promise<void> };

export function ClientRoom({ experiment, room, access, reload }: RoomProps) {
  const media = experiment.project_media;
  const host = pictureHost();
  const actions: ThreadActions = {
    add: (comment) => addComment(access, experiment.id, comment).then(reload),
    resolve: (comment, resolved) => resolveComment(access, comment, resolved).then(reload),
  };
  const places = ['whole', ...TEXTS.filter((text) => experiment[text]), ...media.map(({ id }) => id)];
  const threads = threadsOf(room.comments);
  return (
    <>
      <p>Only the team and the people who have this link see what you write here.</p>
      {room.approves && <Approval experiment={experiment} room={room} access={access} reload={reload} />}
      {places.map((place) => {
        const name = placeName(place, media);
        const text = TEXTS.find((one) => one === place);
        const item = media.find(({ id }) => id === place);
        const here = threads.filter(({ place: at }) => at === place || (place === 'whole' && !places.includes(at)));
        return (
          <section className="stack rule pad-top-3" aria-labelledby={`at-${place}`} key={place}>
            <h3 id={`at-${place}`}>{name}</h3>
            {text && <RichText html={experiment[text]!} fit={nestedHeadings} />}
            {item && <MediaFigure media={item} host={host} name={name} sizes="(min-width:1024px) 960px,92vw" />}
            {here.length > 0 && (
              <ul>
                {here.map((thread) => (
                  <Thread
                    key={thread.id}
                    thread={thread}
                    place={thread.place === place ? undefined : placeName(thread.place, media)}
                    actions={actions}
                  />
                ))}
              </ul>
            )}
            <details>
              <summary className="tap underlined">
                Comment
                <span className="hidden-text"> on {name}</span>
              </summary>
              <CommentForm
                label="Your comment"
                sent="Sent. We see it in our inbox."
                send={(body, id) => actions.add({ id, body, place, parent: null })}
              />
            </details>
          </section>
        );
      })}
    </>
  );
}

function Approval({ experiment: { id }, room: { version, approvals }, access, reload }: RoomProps) {
  const [confirming, setConfirming] = useState(false);
  const { busy, failure, run, reset } = useSubmit(notSent);
  const [given] = approvals;
  const day = given && localDay(given.created_at);
  function openDialog() {
    reset();
    setConfirming(true);
  }
  const close = () => setConfirming(false);
  const set = (approved: string | null) => run(() => approveDraft(access, id, approved).then(reload), close);
  return (
    <div className="form-stack">
      {day && (
        <Banner kind={given.current ? 'success' : 'warning'}>
          {given.current ? `You approved this on ${day}.` : `It was changed after you approved it on ${day}.`}
        </Banner>
      )}
      {failure && !confirming && <Banner kind="error">{failure}</Banner>}
      <div className="button-row">
        {!given?.current && <Button onClick={openDialog}>Approve</Button>}
        {given && (
          <Button variant="secondary" busy={busy && !confirming} onClick={() => void set(null)}>
            Withdraw approval
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={confirming}
        title="Approve this version?"
        confirmLabel="Approve"
        variant="primary"
        busy={busy}
        error={failure}
        onCancel={close}
        onConfirm={() => void set(version)}
      >
        <p>The team gets a notice that you agree with what this page shows now. You can withdraw it later.</p>
      </ConfirmDialog>
    </div>
  );
}
