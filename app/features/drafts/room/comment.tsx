import type { ReactNode } from 'react';
import { SmallButton } from '#ui/form/button.tsx';

export const startOfText = (text: string) => `“${text.slice(0, 40)}”`;

export const Comment = ({ by, when, body }: { by: string; when: ReactNode; body: string }) => (
  <>
    <p className="small quiet anywhere">
      <strong>{by}</strong>, {when}
    </p>
    <p className="measure-70 pre-wrap anywhere">{body}</p>
  </>
);

export const DeleteButton = ({
  label,
  body,
  busy,
  onClick,
}: {
  label: string;
  body: string;
  busy?: boolean;
  onClick: () => void;
}) => (
  <SmallButton
    className="self-start"
    variant="quiet"
    aria-label={`${label} ${startOfText(body)}`}
    busy={busy}
    onClick={onClick}
  >
    {label.split(' ')[0]}
  </SmallButton>
);
