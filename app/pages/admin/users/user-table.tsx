import { users as words } from '../../../copy/admin/users.ts';
import { isForGood, nameOf, type UserAccount } from '../../../models/office/people.ts';
import { DayTime } from '../../../ui/time.tsx';
import type { Question } from './ask-about-user.tsx';
import { UserMenu } from './user-menu.tsx';

export const UserTable = ({
  people,
  own,
  onAsk,
}: {
  people: UserAccount[];
  own: string | null;
  onAsk: (question: Question) => void;
}) => (
  <table className="table users-table">
    <caption className="hidden-text">All accounts, newest first</caption>
    <thead>
      <tr>
        <th scope="col">Email</th>
        <th scope="col">Signed up</th>
        <th scope="col">Verified</th>
        <th scope="col">Roles</th>
        <th scope="col">Second factor</th>
        <th scope="col">Last sign-in</th>
        <th scope="col">
          <span className="hidden-text">{words.actions}</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {people.map((person) => (
        <tr key={person.id}>
          <th scope="row">
            <Who person={person} own={person.id === own} />
          </th>
          <td data-label="Signed up">
            <DayTime at={person.signedUp} />
          </td>
          <td data-label="Verified">{person.verified ? <DayTime at={person.verified} /> : words.notVerified}</td>
          <td data-label="Roles">
            <span>
              {person.roles.join(', ') || words.noRole}
              {person.requestedAdmin && person.roles.length === 0 && <span className="row-preview">{words.asked}</span>}
            </span>
          </td>
          <td data-label="Second factor">{words.factors(person.factors)}</td>
          <td data-label="Last sign-in">{person.lastSignIn ? <DayTime at={person.lastSignIn} /> : words.never}</td>
          <td className="table-actions">
            <UserMenu person={person} own={person.id === own} onAsk={onAsk} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Who = ({ person, own }: { person: UserAccount; own: boolean }) => (
  <>
    {nameOf(person)} {own && <span className="badge badge-completed">{words.you}</span>}
    {person.name && person.name !== nameOf(person) && <span className="row-preview">{person.name}</span>}
    {person.phone && nameOf(person) !== `+${person.phone}` && <span className="row-preview">+{person.phone}</span>}
    {person.invited && !person.verified && (
      <span className="row-preview">
        {words.invited} <DayTime at={person.invited} />
      </span>
    )}
    {person.bannedUntil && (
      <span className="badge badge-other users-banned">
        {isForGood(person.bannedUntil) ? (
          words.bannedForGood
        ) : (
          <>
            {words.bannedUntil} <DayTime at={person.bannedUntil} />
          </>
        )}
      </span>
    )}
  </>
);
