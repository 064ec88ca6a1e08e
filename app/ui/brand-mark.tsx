import { sizeIn } from '#lib/brand/logo.ts';

/** @param logo address of a logo's file, and of the one for the dark theme; without them the mark is drawn */
export function BrandMark({ name, logo, logoDark }: { name: string; logo: string; logoDark: string }) {
  if (logo)
    return (
      <picture className="brand-mark">
        {logoDark && <source srcSet={logoDark} media="(prefers-color-scheme: dark)" {...sizeIn(logoDark)} />}
        <img className="brand-logo" src={logo} alt={name} {...sizeIn(logo)} />
      </picture>
    );
  return (
    <span className="brand-mark gap-3">
      <span className="drawing brand-plates plates" aria-hidden="true" />
      <Wordmark name={name} />
    </span>
  );
}

export function Wordmark({ name }: { name: string }) {
  const letters = [...name];
  const middle = Math.floor(letters.length * 0.4);
  return (
    <span className="wordmark display black">
      <span className="wide">{letters.slice(0, middle).join('')}</span>
      <span className="narrow">{letters.slice(middle).join('')}</span>
    </span>
  );
}
