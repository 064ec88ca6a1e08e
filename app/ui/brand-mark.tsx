export const BrandMark = ({ name }: { name: string }) => (
  <span className="brand-mark gap-3">
    <span className="drawing brand-plates plates" aria-hidden="true" />
    <Wordmark name={name} />
  </span>
);

export function Wordmark({ name }: { name: string }) {
  const middle = Math.floor(name.length * 0.4);
  return (
    <span className="wordmark display black">
      <span className="wide">{name.slice(0, middle)}</span>
      <span className="narrow">{name.slice(middle)}</span>
    </span>
  );
}
