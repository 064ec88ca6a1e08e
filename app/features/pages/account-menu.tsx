import { useEffect, useState } from 'react';
import type { AccountRole } from '#lib/account-role.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import { ownRole, signOut } from '#session/current-user.ts';
import { Icon } from '#ui/icon.tsx';

const OWN_PAGES: [path: PagePath, label: string][] = [
  ['/my-experiments', 'My experiments'],
  ['/my-statements', 'My statements'],
  ['/account', 'Your account'],
];

export function AccountMenu({ user }: { user: { email: string } }) {
  const [role, setRole] = useState<AccountRole | null>(null);
  useEffect(() => void ownRole().then(setRole, console.warn), []);
  const pages = role ? [['/admin', 'MAD Admin'] as const, ...OWN_PAGES] : OWN_PAGES;
  const signOutHere = async () => {
    await signOut().catch(() => null);
    location.reload();
  };
  return (
    <details className="account-menu relative">
      <summary className="tap gap-2 semibold">
        <Icon name="user" />
        <span className="account-name clip one-line">{user.email}</span>
      </summary>
      <ul className="one-line paper">
        {pages.map(([path, label]) => (
          <li key={path}>
            <a className="block full plain marked" href={path}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <button className="block full plain marked" type="button" onClick={signOutHere}>
            Sign out
          </button>
        </li>
      </ul>
    </details>
  );
}
