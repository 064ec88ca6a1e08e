import { isRouteErrorResponse } from 'react-router';
import { refusalWords } from '../words/refusals.ts';

export interface Refusal {
  status: keyof typeof refusalWords;
  seconds: number;
}

export const refusalTitle = ({ status }: Refusal): string => refusalWords[status].title;

export const refusalText = ({ status, seconds }: Refusal): string => refusalWords[status].text(seconds);

export function refusalIn(error: unknown): { title: string; text: string } | null {
  if (!isRouteErrorResponse(error) || typeof error.data !== 'string') return null;
  const words = refusalWords[error.status as Refusal['status']];
  return words ? { title: words.title, text: error.data } : null;
}
