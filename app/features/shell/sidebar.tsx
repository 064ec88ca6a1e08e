import { useId, useState } from 'react';
import { href, NavLink, useLocation } from 'react-router';
import { useUnhandled } from '#features/messages/message-queries.ts';
import { useCount } from '#features/reviews/review-queries.ts';
import { type AdminScreen, admin, groupsFor } from '#lib/words/admin.ts';
import { useOwnRole } from '#session/caller.ts';
import { signOut } from '#session/current-user.ts';
import { LeaveQuestion, unsavedWork } from '#ui/admin/leave-guard.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';

export function Sidebar({ onCommands, onKeys }: { onCommands: () => void; onKeys: () => void }) {
  const { pathname } = useLocation();
  const [openOn, setOpenOn] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [asking, setAsking] = useState(false);
  const open = openOn === pathname;

  async function signOutHere() {
    setAsking(false);
    setLeaving(true);
    // Signing out unmounts the screen and its unsaved-work guard.
    const releaseGuards = unsavedWork();
    // An unreachable server must not prevent signing out on this device.
    await signOut().catch((error: unknown) => console.warn('Signing out on the server failed', error));
    releaseGuards?.();
    location.replace(href('/'));
  }

  return (
    <aside className="edged admin-side panel" data-open={open || undefined}>
      <div className="admin-side-sheet stack gap-0">
        <div className="cluster apart admin-side-head">
          <a className="admin-brand condensed plain display black" href={href('/admin')}>
            {admin.title}
          </a>
          <SmallButton
            className="admin-find one-line"
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            onClick={onCommands}
          >
            <Icon name="search" /> <span className="admin-find-words">Go to</span>
            <span className="admin-find-key push quiet mono" aria-hidden="true">
              {/Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') ? '⌘K' : 'Ctrl K'}
            </span>
          </SmallButton>
          <SmallButton
            className="admin-menu-button"
            aria-expanded={open}
            aria-controls="admin-menu"
            onClick={() => setOpenOn(open ? null : pathname)}
          >
            <Icon name={open ? 'close' : 'menu'} /> Menu
          </SmallButton>
        </div>
        <div className="admin-menu stack gap-5" id="admin-menu">
          <nav aria-label="Admin">
            {groupsFor(useOwnRole()).map(({ title, screens }) => (
              <Screens key={title} title={title} screens={screens} />
            ))}
          </nav>
          <div className="admin-side-foot stack gap-2">
            <SmallButton className="admin-keys" variant="quiet" aria-haspopup="dialog" onClick={onKeys}>
              Keys
            </SmallButton>
            <a className="inline plain" href={href('/case-studies')}>
              View site <Icon name="arrow-out" />
            </a>
            <SmallButton busy={leaving} onClick={() => (unsavedWork() ? setAsking(true) : void signOutHere())}>
              Sign Out
            </SmallButton>
          </div>
        </div>
      </div>
      <LeaveQuestion open={asking} onLeave={() => void signOutHere()} onStay={() => setAsking(false)} />
    </aside>
  );
}

const Waiting = ({ count }: { count: number | undefined }) =>
  count ? (
    <span className="admin-waiting push on-hand bold">
      {' '}
      {count} <span className="hidden-text">waiting</span>
    </span>
  ) : null;

const ICONS: Record<AdminScreen['href'], IconName> = {
  '/admin': 'dashboard',
  '/admin/projects': 'folder',
  '/admin/case-studies': 'table',
  '/admin/review': 'inbox',
  '/admin/media': 'picture',
  '/admin/pages': 'page',
  '/admin/users': 'users',
  '/admin/messages': 'mail',
  '/admin/settings': 'sliders',
  '/admin/trash': 'trash',
  '/admin/log': 'clock',
};

function Screens({ title, screens }: { title: string | null; screens: readonly AdminScreen[] }) {
  const id = useId();
  const counts: Partial<Record<AdminScreen['href'], number | undefined>> = {
    '/admin/review': useCount('waiting').data?.reviews,
    '/admin/messages': useUnhandled().data,
  };
  return (
    <>
      {title && (
        <p className="admin-group quiet" id={id}>
          {title}
        </p>
      )}
      <ul aria-labelledby={title ? id : undefined}>
        {screens.map(({ label, href: to }) => (
          <li key={to}>
            <NavLink className="touch inline plain ring-inside underlined-on-hover" to={to} end={to === '/admin'}>
              <Icon name={ICONS[to]} />
              {label}
              <Waiting count={counts[to]} />
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  );
}
