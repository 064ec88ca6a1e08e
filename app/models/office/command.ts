/** Something the command menu can do: go to an address. */
export interface Command {
  label: string;
  href: string;
  /** Other words it is found by. */
  also?: string;
  /** The address is on the public site, which is another document. */
  leaves?: boolean;
}

/**
 * The commands with every typed word in label or other words, in upper or lower case; those whose label begins with what
 * was typed first, otherwise in the order they came.
 */
export function commandsFor<Each extends Command>(commands: readonly Each[], typed: string): Each[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const start = typed.trim().toLowerCase();
  return commands
    .filter(({ label, also = '' }) => {
      const text = `${label} ${also}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => begins(b, start) - begins(a, start));
}

const begins = ({ label }: Command, start: string) => Number(start !== '' && label.toLowerCase().startsWith(start));

/** The position a key leads to in a list of so many; null for a key that leads nowhere. It goes around at both ends. */
export function movedSelection(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count;
    case 'ArrowUp':
      return (from <= 0 ? count : from) - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
