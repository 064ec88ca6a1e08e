import type { PagePath } from '#lib/words/page-path.ts';
import { type CurrentUser, signOut } from '#session/current-user.ts';
import { Icon } from '#ui/icon.tsx';

export const AccountMenu = ({ user }: { user: CurrentUser }) => (
  <details className="account-menu relative">
    <summary className="tap gap-2 semibold">
      <Icon name="user" />
      <span className="account-name one-line">{user.email}</span>
    </summary>
    <ul className="one-line">
      {user.isAdmin && (
        <li>
          <a className="plain marked" href={'/admin' satisfies PagePath}>
            MAD Admin
          </a>
        </li>
      )}
      <li>
        <a className="plain marked" href={'/my-experiments' satisfies PagePath}>
          My experiments
        </a>
      </li>
      <li>
        <a className="plain marked" href={'/my-statements' satisfies PagePath}>
          My statements
        </a>
      </li>
      <li>
        <a className="plain marked" href={'/account' satisfies PagePath}>
          Your account
        </a>
      </li>
      <li>
        <button
          className="plain marked"
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
