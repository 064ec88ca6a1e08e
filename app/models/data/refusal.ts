import { isRouteErrorResponse } from 'react-router';
import { refusalWords } from '../../copy/refusals.ts';

/** Why a page cannot be made for now, and after how many whole seconds it may be asked for again. */
export interface Refusal {
  status: keyof typeof refusalWords;
  seconds: number;
}

export const refusalTitle = ({ status }: Refusal): string => refusalWords[status].title;

export const refusalText = ({ status, seconds }: Refusal): string => refusalWords[status].text(seconds);

/** Title and sentence of an error that is a refusal; null for any other. */
export function refusalIn(error: unknown): { title: string; text: string } | null {
  if (!isRouteErrorResponse(error) || typeof error.data !== 'string') return null;
  const words = refusalWords[error.status as Refusal['status']];
  return words ? { title: words.title, text: error.data } : null;
}
