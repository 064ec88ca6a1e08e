import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { FocusTargets } from '#ui/focus-targets.ts';
import { UnsavedMark } from './group.tsx';
import type { SettingsGroup } from './groups.ts';

export function GroupLinks({
  targets,
  groups,
  isUnsaved,
}: {
  /** The summaries of the groups. */
  targets: FocusTargets;
  groups: readonly SettingsGroup[];
  isUnsaved: (group: SettingsGroup) => boolean;
}) {
  const current = useCurrentGroup(targets, groups);
  return (
    <nav className="settings-links" aria-label="Settings">
      <ul>
        {groups.map((group) => (
          <li key={group.id}>
            <Link to={`#${group.id}`} aria-current={group.id === current ? 'location' : undefined} preventScrollReset>
              {group.title}
              {isUnsaved(group) && <UnsavedMark />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The group of the address while all of it is visible, else the last one that begins in the upper quarter or above. */
function useCurrentGroup(targets: FocusTargets, shown: readonly SettingsGroup[]) {
  const { hash } = useLocation();
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const look = () => {
      const groups = shown.flatMap(({ id }) => targets.get(id)?.parentElement ?? []);
      const linked = groups.find(({ id }) => hash === `#${id}`);
      const { top = -1, bottom = 0 } = linked?.getBoundingClientRect() ?? {};
      const isVisible = top >= 0 && bottom <= innerHeight;
      const read = groups.findLast((group) => group.getBoundingClientRect().top < innerHeight / 4) ?? groups[0];
      setCurrent((isVisible ? linked : read)?.id);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [hash, shown, targets]);
  return current;
}
