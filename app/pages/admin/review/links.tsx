import { reviewWords as words } from '../../../copy/review.ts';
import { messageOf } from '../../../models/api-error.ts';
import { changeDraftLink, makeDraftLink, revokeDraftLink } from '../../../models/draft-links.ts';
import { clients } from '../../../session/browser.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { DraftLinks } from '../../experiments/draft/draft-links.tsx';
import { Loaded } from '../loaded.tsx';
import { useStatus } from '../shell/status.tsx';
import { useLinks, useMailLink } from './review-queries.ts';

/** The links to a draft, for admins: the same list as its holder has, and a mail with a new one. */
export function ReviewLinks({ id, address }: { id: string; address: string | null }) {
  const links = useLinks(id);
  const mailing = useMailLink(id);
  const { say } = useStatus();
  return (
    <section aria-labelledby="links">
      <h3 id="links">Links to the draft</h3>
      {mailing.error && <Banner kind="error">{messageOf(mailing.error, words.failedToSave)}</Banner>}
      <div className="review-mail">
        {address ? (
          <Button
            variant="secondary"
            size="admin"
            busy={mailing.isPending}
            onClick={() => mailing.mutate(undefined, { onSuccess: (to) => say(`A new link goes to ${to}.`) })}
          >
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
