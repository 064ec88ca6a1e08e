import { Link, type LinkProps } from 'react-router';

type Variant = 'primary' | 'secondary' | 'quiet';

export const SmallLink = ({ variant = 'secondary', ...link }: LinkProps & { variant?: Variant }) => (
  <Link {...link} className={`button button-${variant} button-admin`} />
);
