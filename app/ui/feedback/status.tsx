import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { MESSAGE_STAYS } from '#lib/words/admin.ts';
import { shell, UNDO_STAYS } from '#lib/words/shell.ts';
import { Button } from '../form/button.tsx';
import { Icon } from '../icon.tsx';
import { restoreFocus } from '../restore-focus.ts';
import './status.css';

// More would cover the screen; older deletions can still be restored from the trash.
const AT_ONCE = 3;

interface Said {
  key: number;
  text: string;
  kind: 'success' | 'error';
  undo?: (() => unknown) | undefined;
}

export interface StatusMessages {
  /** Shown for three seconds, with `undo` for ten; both pause on hover and focus. A rejected `undo` shows its error. */
  say: (text: string, options?: { undo?: () => unknown }) => void;
  complain: (text: string) => void;
  undoLast: () => void;
}

const Context = createContext<StatusMessages | null>(null);

export function useStatus(): StatusMessages {
  const status = useContext(Context);
  if (!status) throw new Error('useStatus is for what is inside StatusRegion');
  return status;
}

export function StatusRegion({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<Said[]>([]);
  const [held, setHeld] = useState(false);
  const next = useRef(0);
  const undoer = useRef<(() => void) | null>(null);

  const add = useCallback((said: Omit<Said, 'key'>) => {
    next.current += 1;
    const key = next.current;
    setAll((before) => [...before, { ...said, key }].slice(-AT_ONCE));
  }, []);
  const remove = useCallback((key: number) => {
    setAll((before) => before.filter((said) => said.key !== key));
    // Removing the hovered or focused element fires no leave event.
    setHeld(false);
  }, []);
  const status = useMemo<StatusMessages>(
    () => ({
      say: (text, options) => add({ text, kind: 'success', undo: options?.undo }),
      complain: (text) => add({ text, kind: 'error' }),
      undoLast: () => undoer.current?.(),
    }),
    [add],
  );

  const last = all.findLast(({ undo }) => undo);
  return (
    <Context value={status}>
      {children}
      {/* Always rendered: assistive technology only announces changes of a known region. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer; nothing is operated */}
      <div
        className="status-region stack gap-2"
        aria-live="polite"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {all.map((said) => (
          <Message
            key={said.key}
            said={said}
            held={held}
            undoer={said === last ? undoer : null}
            onGone={() => remove(said.key)}
            onUndone={() => add({ text: shell.undone, kind: 'success' })}
            onFailed={(reason) => add({ text: reason, kind: 'error' })}
          />
        ))}
      </div>
    </Context>
  );
}

function Message({
  said: { text, kind, undo },
  held,
  undoer,
  onGone,
  onUndone,
  onFailed,
}: {
  said: Said;
  held: boolean;
  undoer: { current: (() => void) | null } | null;
  onGone: () => void;
  onUndone: () => void;
  onFailed: (reason: string) => void;
}) {
  const [silent, setSilent] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const gone = useRef(onGone);
  gone.current = onGone;

  useEffect(() => {
    if (held || undoing || kind === 'error') return;
    const words = setTimeout(() => (undo ? setSilent(true) : gone.current()), MESSAGE_STAYS);
    const offer = undo && setTimeout(() => gone.current(), UNDO_STAYS);
    return () => {
      clearTimeout(words);
      clearTimeout(offer);
    };
  }, [held, undoing, kind, undo]);

  const leave = () => {
    // Moves the focus to the screen instead of the top of the document.
    const isFocused = box.current?.contains(document.activeElement);
    onGone();
    if (isFocused) setTimeout(() => restoreFocus());
  };
  const takeBack = async () => {
    if (undoing || !undo) return;
    setUndoing(true);
    try {
      await undo();
      onUndone();
    } catch (error) {
      onFailed(messageOf(error, shell.failedToUndo));
    }
    leave();
  };
  useEffect(() => {
    if (!undoer) return;
    undoer.current = takeBack;
    return () => {
      undoer.current = null;
    };
  });

  return (
    <div className={`status-said inline status-${kind}`} ref={box} role={kind === 'error' ? 'alert' : undefined}>
      {!silent && (
        <>
          <Icon name={kind === 'error' ? 'warning' : 'check'} />
          <p className="grow">{text}</p>
        </>
      )}
      {undo && (
        <Button
          variant="quiet"
          size="admin"
          busy={undoing}
          busyLabel={shell.undoing}
          aria-label={shell.undoOf(text)}
          onClick={takeBack}
        >
          <Icon name="undo" /> {shell.undo}
        </Button>
      )}
      {!silent && (
        <Button variant="quiet" size="admin" aria-label={shell.dismiss} onClick={leave}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}
