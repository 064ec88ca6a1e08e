import { isRouteErrorResponse } from 'react-router';

const refusalWords = {
  429: {
    title: 'Too many requests',
    text: (seconds: number) =>
      `Too many requests come from your address. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
  },
  503: { title: 'Back in a moment', text: () => 'We are very busy, or briefly away. Please try again in a moment.' },
  507: {
    title: 'No room left',
    text: () => 'Our server has no room left, so nothing was saved. Please try again later.',
  },
} as const;

export type Refusal = { status: keyof typeof refusalWords; seconds: number };

export const refusalTitle = ({ status }: Refusal): string => refusalWords[status].title;

export const refusalText = ({ status, seconds }: Refusal): string => refusalWords[status].text(seconds);

export function refusalIn(error: unknown): { title: string; text: string } | null {
  if (!isRouteErrorResponse(error) || typeof error.data !== 'string') return null;
  const words = refusalWords[error.status as Refusal['status']];
  return words ? { title: words.title, text: error.data } : null;
}
