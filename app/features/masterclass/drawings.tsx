import type { ReactNode } from 'react';

const Drawing = ({ box, name, children }: { box: string; name: string; children: ReactNode }) => (
  <svg className={`${name} full panel clip`} viewBox={box} aria-hidden="true">
    <g className="isolated">{children}</g>
  </svg>
);

const GEM = 'M-52-40H52L84 0 0 92-84 0z';
const GEM_EDGES = 'M-84 0H84M-52-40-26 0 0-40 26 0 52-40M-26 0 0 92 26 0';

const Stone = ({ x, y, size = 1, plate = 'plate-one' }: { x: number; y: number; size?: number; plate?: string }) => (
  <g transform={`translate(${x} ${y}) scale(${size})`}>
    <path className={plate} d={GEM} />
    <path className="facet-lines drawn" d={GEM_EDGES} />
  </g>
);

export const steps = [
  <Drawing box="0 0 320 240" name="edged course-step below-4" key="see">
    <Stone x={160} y={104} size={0.8} />
    <path className="plate-two" d="M90 14h140v212H90zm14 20v158h112V34z" fillRule="evenodd" />
    <path className="facet-edges drawn" d="M118 66V48h18M184 48h18v18M202 160v18h-18M136 178h-18v-18" />
  </Drawing>,
  <Drawing box="0 0 320 240" name="edged course-step below-4" key="place">
    <path
      className="plate-one"
      d="M62 240V112a21 21 0 0 1 42 0v-44a21 21 0 0 1 42 0V46a21 21 0 0 1 42 0v24a21 21 0 0 1 42 0v88l26-26a19 19 0 0 1 28 26l-58 82z"
    />
    <path className="plate-two" d="M138 112h58v26h-58zM152 74l15-16 15 16-15 34z" />
    <path className="facet-lines drawn" d="M104 108v52M146 66v94M188 66v94" />
  </Drawing>,
  <Drawing box="0 0 320 240" name="edged course-step below-4" key="move">
    <path className="plate-two" d="M0 44h320v24H0zM0 172h320v24H0z" />
    <g>
      <Stone x={66} y={106} size={0.62} />
      <g transform="rotate(24 160 120)">
        <Stone x={160} y={106} size={0.62} plate="plate-two" />
        <Stone x={154} y={101} size={0.62} />
      </g>
      <g transform="rotate(48 254 120)">
        <Stone x={254} y={106} size={0.62} />
      </g>
    </g>
    <path className="facet-edges drawn" d="M113 44v152M207 44v152" />
  </Drawing>,
  <Drawing box="0 0 320 240" name="edged course-step below-4" key="say">
    <path className="plate-one" d="M40 34h240v136H150l-44 48v-48H40z" />
    <path className="plate-two" d="M66 66h150v18H66zM66 100h188v18H66zM66 134h96v18H66z" />
  </Drawing>,
];

export const LightDrawing = () => (
  <Drawing box="0 0 640 260" name="course-macro">
    <path className="course-ray" d="M174-40V230H466V-40" />
    <path className="plate-two" d="M150 40h340l90 76-260 260L60 116z" />
    <path className="facet-edges drawn" d="M60 116h520M150 40l80 76 90-76 90 76 80-76M230 116l90 260 90-260" />
  </Drawing>
);

export const RotationDrawing = () => (
  <Drawing box="0 0 640 260" name="course-macro">
    {[
      { x: 110, wide: 24, open: 16 },
      { x: 240, wide: 62, open: 48 },
      { x: 410, wide: 96, open: 75 },
      { x: 570, wide: 40, open: 30 },
    ].map(({ x, wide, open }) => (
      <g key={x}>
        <path
          className="plate-one"
          fillRule="evenodd"
          d={`M${x - wide} 160a${wide} 96 0 1 0 ${2 * wide} 0a${wide} 96 0 1 0-${2 * wide} 0zm${wide - open} 0a${open} 75 0 1 1 ${2 * open} 0a${open} 75 0 1 1-${2 * open} 0z`}
        />
        <path className="plate-two" d={`M${x - wide / 2} 6h${wide}l${open / 2} 26L${x} 92l-${(wide + open) / 2}-60z`} />
      </g>
    ))}
  </Drawing>
);

const MAX_STOOLS_PER_ROW = 10;
const STOOL_WIDTH = 280;
const STOOL_HEIGHT = 400;
const STOOL = 'M10 0h200v44h-16l22 274h-34l-8-96H46l-8 96H4L26 44H10zm50 44-11 144h122L160 44z';

export function Stools({ count }: { count: number }) {
  const rows = count <= 7 ? 1 : Math.ceil(count / MAX_STOOLS_PER_ROW);
  const inRow = Math.ceil(count / rows);
  return (
    <svg
      className="stools full isolated"
      viewBox={`0 0 ${inRow * STOOL_WIDTH - 40} ${rows * STOOL_HEIGHT - 66}`}
      preserveAspectRatio="xMinYMid meet"
      role="img"
      aria-label={`${count} ${count === 1 ? 'stool' : 'stools'}, one for each seat`}
    >
      {Array.from({ length: count }, (_, at) => (
        <g
          transform={`translate(${(at % inRow) * STOOL_WIDTH} ${Math.floor(at / inRow) * STOOL_HEIGHT})`}
          // biome-ignore lint/suspicious/noArrayIndexKey: the same drawing so many times
          key={at}
        >
          <path className="plate-one" d={STOOL} />
          <path className="plate-two" d={STOOL} transform="translate(12 10)" />
        </g>
      ))}
    </svg>
  );
}

type Point = readonly [number, number];

const RADIUS = 450;
const TABLE = 0.5;
const STAR = 0.74;

const pointAt = (eighths: number, radius: number): Point => {
  const angle = (eighths * Math.PI) / 4 - Math.PI / 2;
  return [Math.round(RADIUS * radius * Math.cos(angle)), Math.round(RADIUS * radius * Math.sin(angle))];
};

const facet = (...points: Point[]) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}z`;

const repeatAround = (draw: (turn: number) => string | false) =>
  Array.from({ length: 8 }, (_, turn) => draw(turn) || '').join('');

const star = (turn: number) => facet(pointAt(turn - 0.5, TABLE), pointAt(turn, STAR), pointAt(turn + 0.5, TABLE));
const kite = (turn: number) =>
  facet(pointAt(turn + 0.5, TABLE), pointAt(turn, STAR), pointAt(turn + 0.5, 1), pointAt(turn + 1, STAR));
const girdleBefore = (turn: number) => facet(pointAt(turn, STAR), pointAt(turn, 1), pointAt(turn - 0.5, 1));
const girdleAfter = (turn: number) => facet(pointAt(turn, STAR), pointAt(turn, 1), pointAt(turn + 0.5, 1));
const arrow = (turn: number) =>
  facet([0, 0], pointAt(turn - 0.17, TABLE * 0.72), pointAt(turn, TABLE * 0.92), pointAt(turn + 0.17, TABLE * 0.72));
const window = (turn: number) => facet([0, 0], pointAt(turn + 0.5, TABLE), pointAt(turn + 1.5, TABLE));

const isOdd = (turn: number) => turn % 2 === 1;
const girdleFacets = repeatAround((turn) => isOdd(turn) && kite(turn)) + repeatAround(arrow);

const HAND =
  girdleFacets +
  repeatAround(girdleBefore) +
  repeatAround((turn) => !isOdd(turn) && star(turn)) +
  repeatAround((turn) => isOdd(turn) && window(turn));
const MACHINE =
  girdleFacets +
  repeatAround(girdleAfter) +
  repeatAround((turn) => isOdd(turn) && star(turn)) +
  repeatAround((turn) => turn % 4 === 0 && kite(turn));
const EDGES = repeatAround(kite) + repeatAround(girdleBefore) + repeatAround(girdleAfter) + repeatAround(star);

export const CutGem = () => (
  <svg className="brilliant absolute" viewBox="-460 -460 930 930" aria-hidden="true">
    <path className="plate-one" id="facets-hand" d={HAND} />
    <path className="plate-two" id="facets-machine" d={MACHINE} transform="translate(13 10)" />
    <path className="facet-edges drawn" id="facets-edges" d={EDGES} transform="translate(6 5)" />
  </svg>
);

export const Facets = () => (
  <svg
    className="facets isolated full above-section"
    viewBox="-440 -30 640 200"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
  >
    <use className="plate-one" href="#facets-hand" />
    <use className="plate-two" href="#facets-machine" />
    <use className="facet-edges drawn" href="#facets-edges" />
  </svg>
);
