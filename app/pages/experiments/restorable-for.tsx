import { useEffect, useState } from 'react';
import { messages } from '../../copy/messages.ts';
import { readTrashDays } from '../../models/project/write.ts';
import { clients } from '../../session/browser.ts';

/** How long what is deleted here can be restored. Reserves its lines until the server has said so. */
export function RestorableFor({ open }: { open: boolean }) {
  const [days, setDays] = useState<number | null>(null);
  useEffect(() => {
    // Without it the dialog says less, and nothing wrong.
    if (open && days === null) void readTrashDays(clients().data()).then(setDays, console.warn);
  }, [open, days]);
  return <p className="gap-above-small">{days === null ? '\u00a0' : messages.restorableFor(days)}</p>;
}
