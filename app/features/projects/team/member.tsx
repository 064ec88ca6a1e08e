import type { ReactNode } from 'react';
import type { ProjectMember } from '../model/read.ts';

interface MemberProps {
  member: Pick<ProjectMember, 'role' | 'contribution_percentage'>;
  name: string;
  email?: string | null | undefined;
  children?: ReactNode;
}

export const Member = ({ member: { role, contribution_percentage: share }, name, email, children }: MemberProps) => (
  <li className="row member">
    <div className="row-words">
      <strong>{role ?? 'Member'}</strong>
      <span className="row-meta">{name}</span>
      {email && email !== name && <span className="row-meta">{email}</span>}
    </div>
    {share !== null && <span className="amount">{share}%</span>}
    {children}
  </li>
);
