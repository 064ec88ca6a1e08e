import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentProps, ReactNode, RefAttributes } from 'react';
import { Icon, type IconName } from '../icon.tsx';

export type ButtonStyle = { variant?: 'primary' | 'secondary' | 'danger' | 'quiet'; size?: 'public' | 'admin' };

export const classesOf = ({ variant = 'primary', size = 'public' }: ButtonStyle, more = '') =>
  `button button-${variant}${size === 'admin' ? ' button-admin' : ''} ${more}`.trim();

interface ButtonProps extends ButtonStyle, ButtonHTMLAttributes<HTMLButtonElement>, RefAttributes<HTMLButtonElement> {
  busy?: boolean;
  busyLabel?: string;
}

/** `busy` keeps focus and width but ignores clicks; `busyLabel` then replaces the label. */
export function Button(props: ButtonProps) {
  const { variant, size, busy = false, busyLabel, className, type = 'button', onClick, children, ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={classesOf({ variant, size }, className)}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className="spinner-plates plates" aria-hidden="true" />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}

export const SmallButton = ({ variant = 'secondary', ...button }: Omit<ComponentProps<typeof Button>, 'size'>) => (
  <Button {...button} size="admin" variant={variant} />
);

type LinkButtonProps = ButtonStyle & { href: string } & AnchorHTMLAttributes<HTMLAnchorElement>;

export const LinkButton = ({ variant, size, className, href, ...rest }: LinkButtonProps) => (
  <a {...rest} href={href} className={classesOf({ variant, size }, className)} />
);

export const OutsideButton = ({ href, children }: { href: string; children: ReactNode }) => (
  <LinkButton href={href} target="_blank" rel="noopener noreferrer">
    {children}
    <Icon name="arrow-out" />
  </LinkButton>
);

type IconButtonProps = Omit<ComponentProps<'button'>, 'type'> & { icon: IconName; label: string; danger?: boolean };

export const IconButton = ({ icon, label, danger = false, className = '', ...button }: IconButtonProps) => (
  <button
    {...button}
    type="button"
    className={`${className} icon-button ${danger ? 'icon-button-danger' : ''}`.trim()}
    aria-label={label}
  >
    <Icon name={icon} />
  </button>
);
