/** A ring with a large stone, seen from far too near. Two plates, slightly out of register. */
export const Gem = () => (
  <svg className="gem" viewBox="0 0 900 900" preserveAspectRatio="xMidYMin slice" aria-hidden="true" focusable="false">
    <path className="plate-one" d={RING} />
    <path className="plate-two" d={RING} transform="translate(34 26)" />
    <path className="gem-paper" d={STONE} />
    <path className="gem-paper" d={STONE} transform="translate(34 26)" />
    <path className="plate-one" d={STONE} />
    <path className="plate-two" d={STONE} transform="translate(34 26)" />
    <path className="gem-facets" d={FACETS} transform="translate(17 13)" />
  </svg>
);

const RING = 'M450 420a330 330 0 1 0 1 0zm0 74a256 256 0 1 1-1 0z';
const STONE = 'M248 96h404l128 148-330 364L120 244z';
const FACETS =
  'M120 244h660M248 96l82 148 120-148 120 148 82-148M330 244l120 364 120-364M210 244l240 364 240-364M189 170l141 74M711 170l-141 74';

/** One stool for each seat. */
export const Stools = ({ count }: { count: number }) => (
  <svg
    className="stools"
    viewBox={`0 0 ${count * STOOL_WIDTH - 40} 330`}
    role="img"
    aria-label={`${count} stools, one for each seat`}
  >
    {Array.from({ length: count }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same drawing so many times
      <g transform={`translate(${at * STOOL_WIDTH} 0)`} key={at}>
        <path className="plate-one" d={STOOL} />
        <path className="plate-two" d={STOOL} transform="translate(12 10)" />
      </g>
    ))}
  </svg>
);

const STOOL_WIDTH = 280;
const STOOL = 'M10 0h200v44h-16l22 274h-34l-8-96H46l-8 96H4L26 44H10zm50 44-11 144h122L160 44z';
