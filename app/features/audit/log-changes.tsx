import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { Differences } from '#features/projects/versions/version.tsx';
import { useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { type LogLine, linkOf, sentenceOf } from './model/audit-log.ts';
import { changeOf, readLogChanges } from './model/log-changes.ts';
import { log as words } from './words.ts';

export function LineDetails({ line }: { line: LogLine }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { reason } = line;
  const own = linkOf(line);
  return (
    <>
      <span className="row-preview">
        {reason && !/^\d+ (rows|projects)$/.test(reason) && `${reason} `}
        {own && <Link to={own.to}>{own.text}</Link>}{' '}
        {line.has_changes && (
          <button
            type="button"
            className="underlined"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {words.whatChanged}
            <span className="hidden-text">: {sentenceOf(line)}</span>
          </button>
        )}
      </span>
      <div id={id}>{open && <Changes line={line.id} own={own?.to} />}</div>
    </>
  );
}

function Changes({ line, own }: { line: string; own: string | undefined }) {
  const { projectFacts } = useFacts();
  const changes = useRead(['log', 'changes', line], (data) => readLogChanges(data, line));
  return (
    <Loaded query={changes} loading="Loading changes" failed="The changes could not be loaded.">
      {(all) =>
        all.length === 0 ? (
          <p className="empty">{words.noChanges}</p>
        ) : (
          all
            .map((change) => changeOf(change, projectFacts))
            .map(({ key, link, found }) => (
              <div key={key}>
                {link && link.to !== own && (
                  <p className="pad-y-2">
                    <Link to={link.to}>{link.text}</Link>
                  </p>
                )}
                <Differences found={found} same={words.noChanges} />
              </div>
            ))
        )
      }
    </Loaded>
  );
}
