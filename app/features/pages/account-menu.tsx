import type { PagePath } from '#lib/words/page-path.ts';
import { type CurrentUser, signOut } from '#session/current-user.ts';
import { Icon } from '#ui/icon.tsx';

export const AccountMenu = ({ user }: { user: CurrentUser }) => (
  <details className="account-menu">
    <summary>
      <Icon name="user" />
      <span className="account-name">{user.email}</span>
    </summary>
    <ul>
      {user.isAdmin && (
        <li>
          <a href={'/admin' satisfies PagePath}>MAD Admin</a>
        </li>
      )}
      <li>
        <a href={'/my-experiments' satisfies PagePath}>My experiments</a>
      </li>
      <li>
        <a href={'/my-statements' satisfies PagePath}>My statements</a>
      </li>
      <li>
        <a href={'/account' satisfies PagePath}>Your account</a>
      </li>
      <li>
        <button
          type="button"
          onClick={async () => {
            await signOut().catch(() => null);
            location.reload();
          }}
        >
          Sign out
        </button>
      </li>
    </ul>
  </details>
);
