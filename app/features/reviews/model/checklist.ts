export interface Check {
  id: 'rights' | 'client';
  label: string;
  done: boolean;
}

export function checklistOf(
  { client }: { client: string | null },
  { rights_cleared, client_agreed }: { rights_cleared: boolean; client_agreed: boolean },
): Check[] {
  const named = client?.trim();
  return [
    { id: 'rights', label: 'We may show all of its pictures, videos and words', done: rights_cleared },
    {
      id: 'client',
      label: named
        ? `${named} agreed to be named`
        : 'The client is confidential, and nothing in it gives the name away',
      done: client_agreed,
    },
  ];
}
