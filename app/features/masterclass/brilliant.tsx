type Point = readonly [number, number];

const RADIUS = 450;
const TABLE = 0.5;
const STAR = 0.74;
const SLIP = 'translate(13 10)';

const at = (eighths: number, radius: number): Point => {
  const angle = (eighths * Math.PI) / 4 - Math.PI / 2;
  return [Math.round(RADIUS * radius * Math.cos(angle)), Math.round(RADIUS * radius * Math.sin(angle))];
};

const facet = (...points: Point[]) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}z`;

const around = (draw: (turn: number) => string | false) =>
  Array.from({ length: 8 }, (_, turn) => draw(turn) || '').join('');

const star = (turn: number) => facet(at(turn - 0.5, TABLE), at(turn, STAR), at(turn + 0.5, TABLE));
const kite = (turn: number) => facet(at(turn + 0.5, TABLE), at(turn, STAR), at(turn + 0.5, 1), at(turn + 1, STAR));
const girdleBefore = (turn: number) => facet(at(turn, STAR), at(turn, 1), at(turn - 0.5, 1));
const girdleAfter = (turn: number) => facet(at(turn, STAR), at(turn, 1), at(turn + 0.5, 1));
const arrow = (turn: number) =>
  facet([0, 0], at(turn - 0.17, TABLE * 0.72), at(turn, TABLE * 0.92), at(turn + 0.17, TABLE * 0.72));
const window = (turn: number) => facet([0, 0], at(turn + 0.5, TABLE), at(turn + 1.5, TABLE));

const odd = (turn: number) => turn % 2 === 1;

const even = (turn: number) => turn % 2 === 0;
const both = around((turn) => odd(turn) && kite(turn)) + around(arrow);

const HAND =
  both +
  around(girdleBefore) +
  around((turn) => even(turn) && star(turn)) +
  around((turn) => odd(turn) && window(turn));
const MACHINE =
  both +
  around(girdleAfter) +
  around((turn) => odd(turn) && star(turn)) +
  around((turn) => turn % 4 === 0 && kite(turn));
const EDGES = around(kite) + around(girdleBefore) + around(girdleAfter) + around(star);

export const Brilliant = () => (
  <svg className="brilliant absolute" viewBox="-460 -460 930 930" aria-hidden="true">
    <path className="plate-one" id="facets-hand" d={HAND} />
    <path className="plate-two" id="facets-machine" d={MACHINE} transform={SLIP} />
    <path className="facet-edges drawn" id="facets-edges" d={EDGES} transform="translate(6 5)" />
  </svg>
);

export const Facets = () => (
  <svg
    className="facets full above-section"
    viewBox="-440 -30 640 200"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
  >
    <use className="plate-one" href="#facets-hand" />
    <use className="plate-two" href="#facets-machine" />
    <use className="facet-edges drawn" href="#facets-edges" />
  </svg>
);
