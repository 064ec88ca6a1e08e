import { useEffect, useState } from 'react';
import { readTrashDays } from '#features/projects/model/write.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';

export function RestorableFor({ open }: { open: boolean }) {
  const [days, setDays] = useState<number | null>(null);
  useEffect(() => {
    if (open && days === null) void readTrashDays(clients().data()).then(setDays, console.warn);
  }, [open, days]);
  return <p className="gap-above-small">{days === null ? '\u00a0' : messages.restorableFor(days)}</p>;
}
