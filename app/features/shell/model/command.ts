export interface Command {
  label: string;
  href: string;
  also?: string;
  /** The address is on the public site and needs a full page load. */
  leaves?: boolean;
}

/** Every typed word must match the label or other words; labels that begin with the text come first. */
export function commandsFor<Each extends Command>(commands: readonly Each[], typed: string): Each[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const start = typed.trim().toLowerCase();
  return commands
    .filter(({ label, also = '' }) => words.every((word) => `${label} ${also}`.toLowerCase().includes(word)))
    .toSorted((a, b) => startsWith(b, start) - startsWith(a, start));
}

const startsWith = ({ label }: Command, start: string) => Number(start !== '' && label.toLowerCase().startsWith(start));

export function movedSelection(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  const previous = (from <= 0 ? count : from) - 1;
  return { ArrowDown: (from + 1) % count, ArrowUp: previous, Home: 0, End: count - 1 }[key] ?? null;
}
