import { type ReactNode, useId } from 'react';
import './bars.css';

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;

export function Bars({
  title,
  name,
  valueName = 'Visits',
  tableLabel,
  values,
}: {
  title: string;
  name: string;
  valueName?: string;
  tableLabel: string;
  values: { name: string; value: number }[];
}) {
  const id = useId();
  const most = Math.max(1, ...values.map(({ value }) => value));
  const all = values.reduce((sum, { value }) => sum + value, 0);
  const peak = values.find(({ value }) => value === most);
  return (
    <figure className="bars" aria-labelledby={id}>
      <figcaption className="screen-section" id={id}>
        <h3>{title}</h3>
        <span className="amount">{all.toLocaleString('en')} in all</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${all} in all${peak ? `, most on ${peak.name} with ${most}` : ''}`}
      >
        {values.map(({ name: label, value }, at) => {
          const height = (value / most) * HEIGHT;
          return (
            <rect key={label} x={at * STEP + (STEP - WIDTH) / 2} y={HEIGHT - height} width={WIDTH} height={height} />
          );
        })}
      </svg>
      <div className="bars-scale" aria-hidden="true">
        <span>{values[0]?.name}</span>
        <span>highest {most}</span>
        <span>{values.at(-1)?.name}</span>
      </div>
      <details>
        <summary>{tableLabel}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className="bars-table" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{name}</th>
                <th scope="col">{valueName}</th>
              </tr>
            </thead>
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

export const ShareBars = ({ rows }: { rows: { key: string; name: ReactNode; value: string; percent: number }[] }) => (
  <ol className="shares">
    {rows.map(({ key, name, value, percent }) => (
      <li className="share-row" key={key}>
        <span>{name}</span>
        <span className="amount">{value}</span>
        <span className="edged share-bar" aria-hidden="true">
          <span style={{ inlineSize: `${percent}%` }} />
        </span>
      </li>
    ))}
  </ol>
);
