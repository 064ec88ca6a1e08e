import type { ReactNode } from 'react';
import { IconButton } from '#ui/form/button.tsx';
import type { ProjectMember } from '../model/read.ts';

interface MemberProps {
  member: Pick<ProjectMember, 'role' | 'contribution_percentage'>;
  name: string;
  email?: string | null | undefined;
  edit?: ReactNode;
  onRemove?: () => void;
  children?: ReactNode;
}

export const Member = ({ member, name, email, edit, onRemove, children }: MemberProps) => (
  <li className="row member">
    <div className="row-words">
      <strong>{member.role ?? 'Member'}</strong>
      <span className="row-meta">{name}</span>
      {email && email !== name && <span className="row-meta">{email}</span>}
    </div>
    {member.contribution_percentage !== null && <span className="amount">{member.contribution_percentage}%</span>}
    {onRemove && (
      <div className="inline gap-0">
        {edit}
        <IconButton icon="trash" danger label={`Remove ${name} from the team`} onClick={onRemove} />
      </div>
    )}
    {children}
  </li>
);
