import { useId } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from '#ui/icon.tsx';
import '../dashboard.css';

export interface Need {
  icon: IconName;
  state?: string;
  title: string;
  detail?: string | null;
  to: string;
  action: string | null;
  leaves?: boolean;
  pending?: boolean;
}

export function NeedRow({ need: { icon, state, title, detail, to, action, leaves, pending } }: { need: Need }) {
  const id = useId();
  return (
    <li className="row need" data-pending={pending || undefined}>
      <Icon name={icon} />
      <div className="row-words">
        <strong className="row-title" id={id}>
          {state && <span className="hidden-text">{state} </span>}
          {title}
        </strong>
        {detail && <span className="row-meta">{detail}</span>}
      </div>
      {action && (
        <Link className="button button-secondary button-admin" to={to} reloadDocument={leaves} aria-describedby={id}>
          {action}
        </Link>
      )}
    </li>
  );
}
