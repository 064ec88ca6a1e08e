import type { Media } from './project.ts';

export interface Check {
  id: 'rights' | 'pictures' | 'client';
  label: string;
  done: boolean;
  /** Somebody has to tick it; what is computed is not for ticking. */
  byHand: boolean;
}

/** What has to be right before a submission is published. */
export function checklistOf(
  { client, project_media }: { client: string | null; project_media: Pick<Media, 'type' | 'title'>[] },
  { rights_cleared, client_agreed }: { rights_cleared: boolean; client_agreed: boolean },
): Check[] {
  const pictures = project_media.filter(({ type }) => type === 'image');
  const silent = pictures.filter(({ title }) => !title?.trim()).length;
  const named = client?.trim();
  return [
    { id: 'rights', label: 'We may show all of its pictures, films and words', done: rights_cleared, byHand: true },
    {
      id: 'client',
      label: named
        ? `${named} agreed to be named`
        : 'The client is confidential, and nothing in it gives the name away',
      done: client_agreed,
      byHand: true,
    },
    {
      id: 'pictures',
      label:
        silent === 0
          ? 'Every picture says what it shows'
          : silent === 1
            ? '1 picture does not say what it shows'
            : `${silent} pictures do not say what they show`,
      done: silent === 0,
      byHand: false,
    },
  ];
}
