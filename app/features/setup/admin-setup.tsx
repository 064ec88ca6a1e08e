import { useRef, useState } from 'react';
import { href } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { privatePage } from '#session/private-page.ts';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/admin-setup';
import {
  type SetupMethod,
  type SetupOutcome,
  type SetupRequest,
  setUpByEmail,
  setUpDirectly,
} from './model/admin-setup.ts';
import { SETUP_REDIRECT, setup } from './words/setup.ts';
import './setup.css';
import { ManualInstructions } from './manual-instructions.tsx';
import { SetupForm } from './setup-form.tsx';
import { SetupLog, type SetupLogLine } from './setup-log.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: setup.title, noindex: true });

export const loader = ({ context }: Route.LoaderArgs) => ({
  key: context.get(siteContext).settings.developmentSetupKey,
});

export default function AdminSetup({ loaderData }: Route.ComponentProps) {
  const [state, setState] = useState<'form' | SetupOutcome | 'failed'>('form');
  const form = useSubmit(messages.unknownError);
  const [lines, setLines] = useState<SetupLogLine[]>([]);
  const number = useRef(0);
  const log = (text: string, kind: SetupLogLine['kind'] = 'step') => {
    const line: SetupLogLine = { number: number.current++, at: new Date(), text, kind };
    setLines((known) => [...known, line]);
  };

  async function run(method: SetupMethod, request: SetupRequest) {
    setState('form');
    log(method === 'direct' ? 'Direct API Method started.' : 'Email Signup Method started.');
    const means = { ...clients(), origin: location.origin, log };
    try {
      const outcome = await (method === 'direct' ? setUpDirectly : setUpByEmail)(means, request);
      forgetAdmin();
      log(outcome === 'complete' ? setup.complete : 'Setup is not finished yet; see the instructions.');
      setState(outcome);
    } catch (error) {
      log(messageOf(error, messages.unknownError), 'error');
      setState('failed');
      throw error;
    }
  }

  const again = () => {
    form.reset();
    setState('form');
  };
  const manual = state === 'manual' || state === 'failed';
  const aside = (lines.length > 0 || manual) && (
    <div className="stack work-aside">
      {manual && <ManualInstructions pending={state === 'manual'} onTryAgain={again} />}
      <SetupLog lines={lines} />
    </div>
  );

  return (
    <WorkSheet title={setup.title} aside={aside}>
      {state === 'complete' ? (
        <RedirectNotice
          message={setup.complete}
          to={href('/admin')}
          after={SETUP_REDIRECT}
          label="Open the admin area"
        />
      ) : (
        <SetupForm defaultKey={loaderData.key} form={form} onRun={run} />
      )}
      <div className="work-links">
        <a href={href('/admin')}>Admin Login</a>
        <a href={href('/')}>Return to Home</a>
      </div>
    </WorkSheet>
  );
}
