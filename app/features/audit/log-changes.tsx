import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Differences } from '#features/projects/versions/version.tsx';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { type LogLine, sentenceOf } from './model/audit-log.ts';
import { readLogChanges } from './model/log-changes.ts';
import { log as words } from './words.ts';

export function LogChanges({ line }: { line: LogLine }) {
  const [open, setOpen] = useState(false);
  const changes = useQuery({
    queryKey: ['log', 'changes', line.id],
    queryFn: () => readLogChanges(clients().data(), line.id),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="tap underlined">
        {words.whatChanged}
        <span className="hidden-text">: {sentenceOf(line)}</span>
      </summary>
      <Loaded query={changes} loading={words.loadingChanges} failed={words.failedChanges}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">{words.noChanges}</p>
          ) : (
            all.map(({ key, link, found }) => (
              <div key={key}>
                {link && <Link to={link.to}>{link.text}</Link>}
                <Differences found={found} same={words.noChanges} />
              </div>
            ))
          )
        }
      </Loaded>
    </details>
  );
}
