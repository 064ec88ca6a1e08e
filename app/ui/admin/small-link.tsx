import { Link, type LinkProps } from 'react-router';
import { type ButtonStyle, classesOf } from '../form/button.tsx';

export const SmallLink = ({ variant = 'secondary', ...link }: LinkProps & Pick<ButtonStyle, 'variant'>) => (
  <Link {...link} className={classesOf({ variant, size: 'admin' })} />
);
