import { DraftLinks } from '#features/drafts/draft-links.tsx';
import { changeDraftLink, makeDraftLink, revokeDraftLink } from '#features/drafts/model/draft-links.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { useLinks, useMailLink } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function ReviewLinks({ id, address }: { id: string; address: string | null }) {
  const links = useLinks(id);
  const mailing = useMailLink(id);
  const { say, complain } = useStatus();
  // `mutateAsync`: the result is reported even if another submission is open by then.
  const mail = () =>
    void mailing.mutateAsync().then(
      (to) => say(`A new link goes to ${to}.`),
      (error: unknown) => complain(messageOf(error, words.failedToSave)),
    );
  return (
    <section aria-labelledby="links">
      <h3 id="links">Links to the draft</h3>
      <div className="review-mail">
        {address ? (
          <Button variant="secondary" size="admin" busy={mailing.isPending} onClick={mail}>
            Send the submitter a new link
          </Button>
        ) : (
          <p>No address was left. Make a link and pass it on yourself.</p>
        )}
      </div>
      <Loaded query={links} loading="Loading links" failed="Failed to load the links">
        {(found) => (
          <DraftLinks
            id={id}
            links={found}
            acts={{
              makeLink: (name, until) => makeDraftLink(clients().data(), id, name, until),
              changeLink: (link, name, until) => changeDraftLink(clients().data(), link, name, until),
              revokeLink: (link) => revokeDraftLink(clients().data(), link),
            }}
            onChange={() => links.refetch()}
          />
        )}
      </Loaded>
    </section>
  );
}
