import { useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { admin, adminNavigation } from '../../copy/admin.ts';
import { signOut } from '../../session/current-user.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

export function Sidebar() {
  const { pathname } = useLocation();
  // The phone's menu belongs to the screen it was opened on: going somewhere closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const open = openOn === pathname;

  async function leave() {
    setLeaving(true);
    // A server that cannot be reached must not keep anybody signed in on this device.
    await signOut().catch((error: unknown) => console.warn('Signing out on the server failed', error));
    location.replace('/');
  }

  return (
    <aside className="admin-side" data-open={open || undefined}>
      <div className="admin-side-sheet">
        <div className="admin-side-head">
          <a className="admin-brand" href="/admin">
            {admin.title}
          </a>
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
        <nav className="admin-menu" id="admin-menu" aria-label="Admin">
          <ul>
            {adminNavigation.map(({ label, href }) => (
              <li key={href}>
                <NavLink to={href} end={href === '/admin'}>
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
          <div className="admin-side-foot">
            <a href="/case-studies">
              View site <Icon name="arrow-out" />
            </a>
            <Button variant="secondary" size="admin" busy={leaving} onClick={leave}>
              Sign Out
            </Button>
          </div>
        </nav>
      </div>
    </aside>
  );
}
