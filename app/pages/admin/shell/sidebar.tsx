import { type ReactNode, useState } from 'react';
import { href, NavLink, useLocation } from 'react-router';
import { admin, adminMore, adminNavigation } from '../../../copy/admin/admin.ts';
import { shell } from '../../../copy/admin/shell.ts';
import { signOut } from '../../../session/current-user.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LeaveQuestion, unsavedWork } from '../leave-guard.tsx';
import { useUnhandled } from '../messages/message-queries.ts';
import { useCount } from '../review/review-queries.ts';
import './sidebar.css';

export function Sidebar({ onCommands, onKeys }: { onCommands: () => void; onKeys: () => void }) {
  const { pathname } = useLocation();
  // The phone's menu belongs to its screen: navigation closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [asking, setAsking] = useState(false);
  const open = openOn === pathname;

  async function leave() {
    setAsking(false);
    setLeaving(true);
    // Signing out unmounts the screen and its unsaved-work guard.
    const letGo = unsavedWork();
    // An unreachable server must not prevent signing out on this device.
    await signOut().catch((error: unknown) => console.warn('Signing out on the server failed', error));
    letGo?.();
    location.replace(href('/'));
  }

  return (
    <aside className="edged admin-side" data-open={open || undefined}>
      <div className="admin-side-sheet">
        <div className="cluster apart admin-side-head">
          <a className="admin-brand" href={href('/admin')}>
            {admin.title}
          </a>
          <Button
            className="admin-find"
            variant="secondary"
            size="admin"
            aria-keyshortcuts="Control+K Meta+K"
            aria-haspopup="dialog"
            onClick={onCommands}
          >
            <Icon name="search" /> <span className="admin-find-words">{shell.goTo}</span>
            <span className="admin-find-key" aria-hidden="true">
              {shell.commandKey()}
            </span>
          </Button>
          <Button
            className="admin-menu-button"
            variant="secondary"
            size="admin"
            aria-expanded={open}
            aria-controls="admin-menu"
            onClick={() => setOpenOn(open ? null : pathname)}
          >
            <Icon name={open ? 'close' : 'menu'} /> Menu
          </Button>
        </div>
        <div className="admin-menu" id="admin-menu">
          <div>
            <nav aria-label="Admin">
              <Screens screens={adminNavigation} />
            </nav>
            <nav className="admin-more" aria-label="More">
              <Screens screens={adminMore} />
            </nav>
          </div>
          <div className="admin-side-foot">
            <Button className="admin-keys" variant="quiet" size="admin" aria-haspopup="dialog" onClick={onKeys}>
              {shell.keys}
            </Button>
            <a href={href('/case-studies')}>
              View site <Icon name="arrow-out" />
            </a>
            <Button
              variant="secondary"
              size="admin"
              busy={leaving}
              onClick={() => (unsavedWork() ? setAsking(true) : void leave())}
            >
              Sign Out
            </Button>
          </div>
        </div>
      </div>
      <LeaveQuestion open={asking} onLeave={() => void leave()} onStay={() => setAsking(false)} />
    </aside>
  );
}

const Waiting = ({ count }: { count: number | undefined }) =>
  count ? (
    <span className="admin-waiting">
      {' '}
      {count} <span className="hidden-text">{admin.waiting}</span>
    </span>
  ) : null;

const ReviewsWaiting = () => <Waiting count={useCount('waiting').data?.reviews} />;
const MessagesWaiting = () => <Waiting count={useUnhandled().data} />;

const COUNTS: Record<string, () => ReactNode> = {
  [href('/admin/review')]: ReviewsWaiting,
  [href('/admin/messages')]: MessagesWaiting,
};

const Screens = ({ screens }: { screens: readonly { label: string; href: string }[] }) => (
  <ul>
    {screens.map(({ label, href: to }) => {
      const Count = COUNTS[to];
      return (
        <li key={to}>
          <NavLink to={to} end={to === href('/admin')}>
            {label}
            {Count && <Count />}
          </NavLink>
        </li>
      );
    })}
  </ul>
);
