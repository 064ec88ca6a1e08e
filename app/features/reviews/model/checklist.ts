export function checklistOf(
  { client }: { client: string | null },
  { rights_cleared, client_agreed }: { rights_cleared: boolean; client_agreed: boolean },
) {
  const named = client?.trim();
  return [
    { id: 'rights_cleared', label: 'We may show all of its pictures, videos and words', done: rights_cleared },
    {
      id: 'client_agreed',
      label: named
        ? `${named} agreed to be named`
        : 'The client is confidential, and nothing in it gives the name away',
      done: client_agreed,
    },
  ] as const;
}
