import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button, SmallButton } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { identityMessage } from '../../model/identity-error.ts';
import { listOwnFactors, makeRecoveryCodes, type RecoveryState, recoveryState } from '../../model/own-factors.ts';
import { useIdentitySubmit } from '../../use-identity-submit.ts';
import { AccountNote, AccountPart, offersQuery } from '../part.tsx';
import { SecondFactors } from './second-factors.tsx';

const SECURITY = ['security'];

export function Security() {
  const cache = useQueryClient();
  const [fresh, setFresh] = useState(false);
  const query = useQuery({ queryKey: SECURITY, queryFn: readSecurity, retry: false });

  async function readSecurity() {
    const { auth } = clients();
    const reads = Promise.all([cache.ensureQueryData(offersQuery), listOwnFactors(auth)]);
    const [offers, factors] = await reads.catch((error: unknown) => {
      throw new Error(identityMessage(error));
    });
    const codes: RecoveryState = factors.length > 0 ? await recoveryState(auth) : 'unknown';
    // When the state is unknown, the previous one stays: new codes may be on the screen, shown only once.
    const cachedCodes = factors.length > 0 ? cache.getQueryData<{ codes: RecoveryState }>(SECURITY)?.codes : undefined;
    return { offers, factors, codes: codes === 'unknown' ? (cachedCodes ?? codes) : codes };
  }

  if (!query.data)
    return (
      <AccountPart title="Second factor">
        <Loaded query={query} loading="Looking for your second factors" failed={messages.anErrorOccurred}>
          {() => null}
        </Loaded>
      </AccountPart>
    );
  const { offers, factors, codes } = query.data;
  if (factors.length === 0 && !offers.app && !offers.phone) return null;
  const showCodes = (codes: RecoveryState) => cache.setQueryData(SECURITY, { ...query.data, codes });
  return (
    <>
      <SecondFactors factors={factors} offers={offers} onChange={query.refetch} onAdded={() => setFresh(true)} />
      {codes !== 'unknown' && <RecoveryCodes state={codes} next={fresh && codes === 'none'} onMade={showCodes} />}
    </>
  );
}

const LOW_CODE_COUNT = 3;

type CodesProps = { state: Exclude<RecoveryState, 'unknown'>; next: boolean; onMade: (state: RecoveryState) => void };

function RecoveryCodes({ state, next, onMade }: CodesProps) {
  const submission = useIdentitySubmit();
  const making = { busy: submission.busy, busyLabel: 'Making codes...' };
  const [codes, setCodes] = useState<string[] | null>(null);
  const [asking, setAsking] = useState(false);
  const hasRecoveryCodes = state !== 'none';
  const hasEnough = hasRecoveryCodes && state.left > LOW_CODE_COUNT;
  const firstAdvice = next
    ? 'One more step: create recovery codes now. They let you in if you lose your phone.'
    : 'You have no recovery codes yet. Create them while you have your phone.';
  const advice = hasRecoveryCodes ? `${state.left} of ${state.of} left.` : firstAdvice;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!next) return;
    const timer = setTimeout(() => {
      button.current?.scrollIntoView({ block: 'center' });
      button.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [next]);

  async function createCodes() {
    await submission.run(async () => {
      const newCodes = await makeRecoveryCodes(clients().auth, hasRecoveryCodes);
      setCodes(newCodes);
      onMade({ left: newCodes.length, of: newCodes.length });
    });
    setAsking(false);
  }

  return (
    <AccountPart title="Recovery codes" failure={submission.failure}>
      {codes ? (
        <CodesSheet codes={codes} onDone={() => setCodes(null)} />
      ) : (
        <>
          <AccountNote>Recovery codes let you in if you lose your phone. Each works once.</AccountNote>
          {hasEnough ? <p>{advice}</p> : <Banner kind="warning">{advice}</Banner>}
          <div className="button-row">
            <Button
              ref={button}
              variant={hasRecoveryCodes ? 'secondary' : 'primary'}
              {...making}
              onClick={() => (hasRecoveryCodes ? setAsking(true) : void createCodes())}
            >
              {hasRecoveryCodes ? 'Make new codes' : 'Make recovery codes'}
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        open={asking}
        title="Create new recovery codes?"
        confirmLabel="Make new codes"
        {...making}
        onCancel={() => setAsking(false)}
        onConfirm={() => void createCodes()}
      >
        <p>Your present codes stop working as soon as new ones are created.</p>
      </ConfirmDialog>
    </AccountPart>
  );
}

function CodesSheet({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { agency } = useFacts();
  const list = useRef<HTMLOListElement>(null);
  // Moves screen reader users to the codes.
  useEffect(() => list.current?.focus(), []);
  const text = [`Recovery codes, ${agency.name}, ${location.host}`, '', ...codes, ''].join('\n');

  return (
    <div className="stack codes-sheet">
      <Banner kind="warning">
        These codes are shown only once. Keep them with your important papers, not on your phone.
      </Banner>
      <p className="slip">
        {agency.name} · {location.host}
      </p>
      <ol className="codes-list stack gap-2 gap-x-5 panel" ref={list} tabIndex={-1} aria-label="Your recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="button-row">
        <CopyButton text={text} label="Copy all" />
        <SmallButton onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}>
          Download
        </SmallButton>
        <SmallButton onClick={() => print()}>Print</SmallButton>
      </div>
      <div className="button-row">
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  );
}
