import { useRef, useState } from 'react';

/** Selected rows by key; rows that are not on the page any more do not count. @param keys all rows of the page in order */
export function useSelection(keys: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef('');

  const select = (changed: readonly string[], is: boolean) =>
    setPicked((before) => new Set(is ? [...before, ...changed] : [...before].filter((key) => !changed.includes(key))));

  return {
    selected: keys.filter((key) => picked.has(key)),
    select,
    toggle(key: string, is: boolean, range: boolean) {
      const [from, to] = [keys.indexOf(last.current), keys.indexOf(key)];
      select(range && from >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key], is);
      last.current = key;
    },
  };
}
