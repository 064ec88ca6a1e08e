type Point = readonly [number, number];

const RADIUS = 450;
const TABLE = 0.5;
const STAR = 0.74;
const SLIP = 'translate(13 10)';

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
const isEven = (turn: number) => turn % 2 === 0;
const girdleFacets = repeatAround((turn) => isOdd(turn) && kite(turn)) + repeatAround(arrow);

const HAND =
  girdleFacets +
  repeatAround(girdleBefore) +
  repeatAround((turn) => isEven(turn) && star(turn)) +
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
    <path className="plate-two" id="facets-machine" d={MACHINE} transform={SLIP} />
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
