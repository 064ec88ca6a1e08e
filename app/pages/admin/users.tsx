import { useQuery } from '@tanstack/react-query';
import { pageTags } from '../../models/page-meta.ts';
import { listProfiles, type Profile } from '../../models/profile.ts';
import { clients } from '../../session/browser.ts';
import type { Route } from './+types/users';
import { DayTime } from './day-time.tsx';
import { Loaded } from './loaded.tsx';
import { ScreenHead } from './screen-head.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Users', noindex: true });

export default function Users() {
  const users = useQuery({ queryKey: ['users'], queryFn: () => listProfiles(clients().data()) });
  return (
    <>
      <ScreenHead title="Users" />
      <Loaded query={users} loading="Loading users" failed="Failed to load users">
        {(all) => <UserTable users={all} />}
      </Loaded>
    </>
  );
}

const UserTable = ({ users }: { users: Profile[] }) => (
  <table className="table">
    <caption className="hidden-text">All accounts, newest first</caption>
    <thead>
      <tr>
        <th scope="col">Email</th>
        <th scope="col">Signed up</th>
        <th scope="col">Verified</th>
        <th scope="col">Roles</th>
        <th scope="col">Asked for admin</th>
      </tr>
    </thead>
    <tbody>
      {users.map((user) => (
        <tr key={user.id}>
          <th scope="row">
            {user.email ?? 'No address'}
            {user.name && <span className="row-preview">{user.name}</span>}
          </th>
          <td data-label="Signed up">
            <DayTime at={user.createdAt} />
          </td>
          <td data-label="Verified">{user.confirmedAt ? <DayTime at={user.confirmedAt} /> : 'No'}</td>
          <td data-label="Roles">{user.roles.join(', ') || 'None'}</td>
          <td data-label="Asked">{user.requestedAdmin ? 'Yes' : 'No'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
