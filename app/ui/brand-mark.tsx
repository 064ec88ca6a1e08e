import { agency } from '../copy/agency.ts';
import './brand-mark.css';

const MIDDLE = Math.floor(agency.name.length * 0.4);

/** The name in two voices: its first letters as wide as hands go, the rest as narrow as a machine. */
export const BrandMark = () => (
  <span className="brand-mark">
    <span className="brand-plates" aria-hidden="true" />
    <Wordmark />
  </span>
);

export const Wordmark = () => (
  <span className="wordmark">
    <span className="wide">{agency.name.slice(0, MIDDLE)}</span>
    <span className="narrow">{agency.name.slice(MIDDLE)}</span>
  </span>
);
