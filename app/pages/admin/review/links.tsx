import { reviewWords as words } from '../../../copy/admin/review.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { changeDraftLink, makeDraftLink, revokeDraftLink } from '../../../models/submission/draft-links.ts';
import { clients } from '../../../session/browser.ts';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { DraftLinks } from '../../experiments/draft/draft-links.tsx';
import { Loaded } from '../loaded.tsx';
import { useLinks, useMailLink } from './review-queries.ts';

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
