import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { createdBy } from '#features/projects/model/read.ts';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { showAtTop } from '#features/submissions/notices.tsx';
import { type DataAnswer, readOne } from '#lib/data/rows.ts';
import { privatePage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { signedIn } from '#session/current-user.ts';
import { forget, readRemembered, remember } from '#session/remembered.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ErrorPanel } from '#ui/feedback/error-panel.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { lazily } from '#ui/lazily.tsx';
import { NeedsScript } from '#ui/work-sheet.tsx';
import type { Route } from './+types/draft';
import { ChangeDraft } from './change-draft.tsx';
import { draftSecret } from './draft-cookie.ts';
import { DraftLinks } from './draft-links.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { type DraftAccess, findHeldDraft, type HeldDraft } from './model/draft-actions.ts';
import { claimDraft, noteOpened } from './model/draft-links.ts';
import { isOpenedByPerson } from './person.ts';
import './draft-notice.css';
import '#features/submissions/submissions.css';
import './draft.css';

const ClientRoom = lazily(() => import('./room/client-room.tsx').then((module) => module.ClientRoom));

export const handle: PageHandle = { readsDraftCookie: true };

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { settings, data: client } = context.get(siteContext);
  const secret = draftSecret(request, settings.origin, params.id);
  const draft = secret ? await findHeldDraft(client(secret), params.id) : null;
  if (draft && secret && isOpenedByPerson(request)) void noteOpened(client(secret)).catch(() => {});
  return data({ held: draft }, { status: draft ? 200 : 404, headers: privatePage });
}

export const headers = () => privatePage;

export const meta = privateTags(words.title);

export default function DraftPage({ loaderData, params: { id } }: Route.ComponentProps) {
  const [held, setHeld] = useState<HeldDraft | null | undefined>(loaderData.held ?? undefined);
  const [access] = useState(() => (loaderData.held ? accessByLink(id) : accessByAccount(id)));
  const [failed, setFailed] = useState(false);
  const [done, setDone] = useState<{ message: string; round?: string | null } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    if (done) showAtTop(place.current);
  }, [done]);
  // On a failed reload the old data stays: it may include a link that is shown only once.
  const reload = useCallback(async () => {
    const found = await access.find().catch(() => undefined);
    if (found !== undefined) setHeld(found);
    setFailed(found === undefined);
  }, [access]);
  const user = useSignedIn()?.id;
  useEffect(() => {
    if (!loaderData.held) void reload();
    else if (user && loaderData.held.links.length === 0)
      createdBy(clients().data(), user, [id]).then(([own]) => void (own && reload()), console.warn);
  }, [loaderData.held, user, id, reload]);
  function finish(message: string, round = done?.round) {
    setDone({ message, round });
    void reload();
  }

  if (!held)
    return (
      <div className="sheet draft-page stack gap-5" ref={keepFocus}>
        {held === null ? (
          <ErrorPanel
            title={messages.errorLoadingExperiment}
            backTo={href('/case-studies')}
            back={messages.backToExperiments}
          >
            <p>{messages.experimentNotFound}</p>
          </ErrorPanel>
        ) : (
          <>
            <h1>{words.title}</h1>
            <NeedsScript />
            {failed ? (
              <TryAgain words="Your draft could not be loaded." reload={reload} />
            ) : (
              <Spinner label="Looking for your draft" />
            )}
          </>
        )}
      </div>
    );
  const { experiment, state, links, room } = held;
  const isDraft = experiment.status === 'draft';
  const isSentBack = state?.state === 'changes_requested' && state.answered_at === done?.round;
  return (
    <div className="sheet draft-page stack gap-5" ref={keepFocus}>
      {failed && <TryAgain words={words.failedToReload} reload={reload} />}
      <LinkButton variant="quiet" href={href('/case-studies/:id/:slug?', { id })}>
        <Icon name="arrow-left" /> {isDraft ? 'Back to your draft' : 'Back to the preview'}
      </LinkButton>
      <h1 className="anywhere">{experiment.title}</h1>
      {done && (
        <div ref={place} tabIndex={-1} className="stack">
          <Banner kind="success">{done.message}</Banner>
        </div>
      )}
      {/* Responds to the form even when the page cannot be read again. */}
      {isDraft && !isSentBack && <DraftNotice id={id} draft={state} ways={false} />}
      {state?.state === 'changes_requested' && !isSentBack && (
        <ChangeDraft
          key={state.answered_at}
          round={state.answered_at}
          experiment={experiment}
          access={access}
          onSent={(missing) => finish(words.sentBack(missing), state.answered_at)}
        />
      )}
      {state?.claimable && (
        <Part id="keep" title={words.keep}>
          <KeepDraft id={id} claim={() => claimDraft(access, id)} onKept={() => finish(words.kept)} />
        </Part>
      )}
      {links.length > 0 && (
        <Part id="links" title="Links">
          <p>
            A link you create is for reading: anyone who has it can read this draft, and change it once we’ve asked for
            changes. Only your own first link, and those in our emails to you, can move the draft into an account or
            manage its links.
          </p>
          <DraftLinks id={id} links={links} data={access} onChange={reload} />
        </Part>
      )}
      {room && loaderData.held && (
        <Part id="comments" title="Comments" gap="gap-6">
          {hydrated && <ClientRoom experiment={experiment} room={room} access={access} reload={reload} />}
        </Part>
      )}
    </div>
  );
}

const Part = ({ id, title, gap = '', children }: { id: string; title: string; gap?: string; children: ReactNode }) => (
  <TitledSection className={`stack above-6 ${gap}`} id={id} titleId={`${id}-title`} heading="size-1" title={title}>
    {children}
  </TitledSection>
);

function TryAgain({ words: said, reload }: { words: string; reload: () => Promise<void> }) {
  const { busy, run } = useSubmit('');
  return (
    <div className="form-stack">
      <Banner kind="error">{said}</Banner>
      <div className="button-row">
        <Button variant="secondary" busy={busy} onClick={() => void run(reload)}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** Clients are created on the first call: the server has none. */
const accessByAccount = (id: string): DraftAccess => ({
  rpc: (name, args) => clients().data().rpc(name, args),
  async find() {
    const draft = (await signedIn()) && (await findHeldDraft(clients().data(), id));
    // Admins can read every draft, but this page is for the submitter.
    return draft?.state ? draft : null;
  },
});

/** Only the server can read the link's secret from the cookie. */
const accessByLink = (id: string): DraftAccess => ({
  rpc: (name, args) => callProcedure(id, name, args),
  find: () => readOne(callProcedure(id, 'find')),
});

async function callProcedure(id: string, call: string, args: object = {}): Promise<DataAnswer> {
  // An account may own the draft too, and claiming needs the secret and the account. Comments are the link's.
  const session = !/comment|approve/.test(call) && (await clients().auth.getSession()).data.session;
  const bearer = session && { authorization: `Bearer ${session.access_token}` };
  const headers = { 'content-type': 'application/json', ...bearer };
  const lost = (error: unknown) => ({ data: null, error: { message: `TypeError: ${error}`, code: '' } });
  const request = { method: 'POST', headers, body: JSON.stringify({ call, args }) };
  return fetch(href('/drafts/:id/desk', { id }), request)
    .then((response) => response.json())
    .catch(lost);
}

function KeepDraft({ id, claim, onKept }: { id: string; claim: () => Promise<void>; onKept: () => void }) {
  const user = useSignedIn();
  const { busy, failure, run } = useSubmit(words.failed);
  const claimNow = () => run(claim, onKept);
  // The user clicked the button before signing in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each user
  useEffect(() => {
    if (!user || readRemembered('keep') !== id) return;
    forget('keep');
    void claimNow();
  }, [user?.id]);
  if (!user) {
    const next = `?next=${encodeURIComponent(`${href('/drafts/:id', { id })}#keep`)}`;
    return (
      // Reserves its space until the session is known.
      <div className="stack keep-draft" aria-busy={user === undefined}>
        <p>
          With an account you find this draft again without a link. Sign in or sign up in this browser: you come back
          here, and the draft is in your account.
        </p>
        <div className="button-row">
          <LinkButton href={href('/sign-in') + next} onClick={() => remember('keep', id)}>
            Sign in
          </LinkButton>
          <LinkButton variant="secondary" href={href('/sign-up') + next} onClick={() => remember('keep', id)}>
            Sign up
          </LinkButton>
        </div>
      </div>
    );
  }
  return (
    <>
      <p>
        You are signed in{user.email && ` as ${user.email}`}. It will be listed under “{words.mine}”, and your links
        keep working.
      </p>
      {failure && <Banner kind="error">{failure}</Banner>}
      <div className="button-row">
        <Button busy={busy} onClick={() => void claimNow()}>
          {words.keep}
        </Button>
      </div>
    </>
  );
}
