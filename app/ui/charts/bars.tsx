import { type PointerEvent, type ReactNode, useId, useState } from 'react';
import { TableHead } from '../data/table-head.tsx';
import './bars.css';

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;

/** The end of an axis that holds `most`: an even leading number, so that half of it is whole. */
export function axisEnd(most: number): number {
  const step = 2 * 10 ** Math.floor(Math.log10(Math.max(1, most - 1)));
  return step * Math.max(1, Math.ceil(most / step));
}

const format = (value: number) => value.toLocaleString('en');

interface BarsProps {
  title: string;
  name: string;
  valueName?: string;
  tableLabel: string;
  values: { name: string; value: number }[];
}

export function Bars({ title, name, valueName = 'Visits', tableLabel, values }: BarsProps) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const maximum = Math.max(0, ...values.map(({ value }) => value));
  const end = axisEnd(maximum);
  const all = values.reduce((sum, { value }) => sum + value, 0);
  const peak = maximum > 0 && values.find(({ value }) => value === maximum);
  const last = values.length - 1;
  const textOf = (index: number) => `${values[index]!.name}: ${format(values[index]!.value)}`;
  const pointAt = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * values.length))));
  };
  return (
    <figure className="bars" aria-labelledby={id}>
      <figcaption className="screen-section">
        <h3 id={id}>{title}</h3>
        <span className="amount">{at === null ? `${format(all)} in all` : textOf(at)}</span>
      </figcaption>
      <div className="bars-chart stack gap-0 quiet small">
        <div className="bars-axis stack gap-0" aria-hidden="true">
          {[end, end / 2, 0].map((tick) => (
            <span key={tick}>{format(tick)}</span>
          ))}
        </div>
        <div
          className="edged bars-plot ring-around stack gap-0"
          onPointerMove={pointAt}
          onPointerDown={pointAt}
          onPointerLeave={() => setAt(null)}
        >
          <svg
            viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: ${all} in all${peak ? `, most on ${peak.name} with ${maximum}` : ''}`}
          >
            {at !== null && <path d={`M${at * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />}
            {values.map(({ name: label, value }, index) => {
              const x = index * STEP + (STEP - WIDTH) / 2;
              const height = (value / end) * HEIGHT;
              return <rect key={label} x={x} y={HEIGHT - height} width={WIDTH} height={height} />;
            })}
          </svg>
          <input
            type="range"
            min={0}
            max={last}
            value={at ?? last}
            aria-labelledby={id}
            aria-valuetext={textOf(at ?? last)}
            onChange={({ target }) => setAt(target.valueAsNumber)}
            onFocus={() => setAt(last)}
            onBlur={() => setAt(null)}
          />
        </div>
        <div className="cluster apart bars-ends" aria-hidden="true">
          <span>{values[0]?.name}</span>
          <span>{values.at(-1)?.name}</span>
        </div>
      </div>
      <details>
        <summary className="tap underlined">{tableLabel}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className="bars-table" aria-label={title} tabIndex={0}>
          <table className="figures">
            <TableHead columns={[name, valueName]} />
            <tbody>
              {values.map(({ name: label, value }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

type ShareRow = { key: string; name: ReactNode; value: string; percent: number };

export const ShareBars = ({ title, rows, children }: { title: string; rows: ShareRow[]; children?: ReactNode }) => (
  <section>
    <h3 className="below-3">{title}</h3>
    <ol className="shares stack gap-2">
      {rows.map(({ key, name, value, percent }) => (
        <li className="share-row stack" key={key}>
          <span className="anywhere">{name}</span>
          <span className="amount">{value}</span>
          <span className="edged share-bar panel across" aria-hidden="true">
            <span className="block" style={{ inlineSize: `${percent}%` }} />
          </span>
        </li>
      ))}
    </ol>
    {children}
  </section>
);
