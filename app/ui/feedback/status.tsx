import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { SmallButton } from '../form/button.tsx';
import { Icon } from '../icon.tsx';
import { restoreFocus } from '../restore-focus.ts';
import './status.css';

const MESSAGE_MS = 3_000;
const UNDO_MS = 10_000;
// More messages would cover the screen; older deletions can be restored from the trash.
const MAX_MESSAGES = 3;

interface Message {
  key: number;
  text: string;
  kind: 'success' | 'error';
  undo?: (() => unknown) | undefined;
  action?: ReactNode;
  undoing?: true;
}

export interface StatusMessages {
  /** Shown for three seconds, with `undo` for ten; both pause on hover and focus. A rejected `undo` shows its error. */
  say: (text: string, options?: { undo?: () => unknown; action?: ReactNode }) => void;
  complain: (text: string) => void;
  /** Complains when the work fails, also when another screen is open by then. */
  report: <Result>(work: Promise<Result>, failed: string, onDone?: (result: Result) => unknown) => Promise<void>;
  undoLast: () => void;
}

const Context = createContext<StatusMessages | null>(null);

export function useStatus(): StatusMessages {
  const status = useContext(Context);
  if (!status) throw new Error('useStatus is for what is inside StatusRegion');
  return status;
}

export function StatusRegion({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<Message[]>([]);
  const [held, setHeld] = useState(false);
  const lastMessage = useRef<Message | undefined>(undefined);
  lastMessage.current = all.findLast(({ undo }) => undo);

  const { status, ...actions } = useMemo(() => {
    let added = 0;
    const add = (message: Omit<Message, 'key'>) => {
      const key = added++;
      setAll((before) => [...before, { ...message, key }].slice(-MAX_MESSAGES));
    };
    const remove = (gone: Message) => {
      setAll((before) => before.filter(({ key }) => key !== gone.key));
      // Removing the hovered or focused element fires no leave event.
      setHeld(false);
    };
    const dismiss = (gone: Message) => {
      remove(gone);
      // Moves the focus to the screen instead of the top of the document.
      setTimeout(() => restoreFocus());
    };
    const status: StatusMessages = {
      say: (text, options) => add({ text, kind: 'success', ...options }),
      complain: (text) => add({ text, kind: 'error' }),
      report: (work, failed, onDone) =>
        work.then(
          (result) => void onDone?.(result),
          (error: unknown) => status.complain(messageOf(error, failed)),
        ),
      undoLast: () => lastMessage.current && void undo(lastMessage.current),
    };
    async function undo(message: Message) {
      if (message.undoing) return;
      setAll((before) => before.map((one) => (one.key === message.key ? { ...one, undoing: true } : one)));
      try {
        await message.undo?.();
        status.say('Undone.');
      } catch (error) {
        status.complain(messageOf(error, 'That could not be undone.'));
      }
      dismiss(message);
    }
    return { status, remove, dismiss, undo };
  }, []);

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
        {all.map((message) => (
          <StatusMessage key={message.key} message={message} held={held} {...actions} />
        ))}
      </div>
    </Context>
  );
}

type MessageAction = (message: Message) => unknown;
type StatusMessageProps = { message: Message; held: boolean } & Record<'remove' | 'dismiss' | 'undo', MessageAction>;

function StatusMessage({ message, held, remove, dismiss, undo }: StatusMessageProps) {
  const { text, kind, undoing = false } = message;
  const [silent, setSilent] = useState(false);

  useEffect(() => {
    if (held || message.undoing || message.kind === 'error') return;
    const words = setTimeout(() => (message.undo ? setSilent(true) : remove(message)), MESSAGE_MS);
    const undoTimer = message.undo && setTimeout(() => remove(message), UNDO_MS);
    return () => {
      clearTimeout(words);
      clearTimeout(undoTimer);
    };
  }, [held, message, remove]);

  return (
    <div className={`status-said inline status-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      {!silent && <Icon name={kind === 'error' ? 'warning' : 'check'} />}
      {!silent && <p className="grow">{text}</p>}
      {message.action}
      {message.undo && (
        <SmallButton
          variant="quiet"
          busy={undoing}
          busyLabel="Undoing..."
          aria-label={`Undo: ${text}`}
          onClick={() => undo(message)}
        >
          <Icon name="undo" /> Undo
        </SmallButton>
      )}
      {!silent && (
        <SmallButton variant="quiet" aria-label="Dismiss" onClick={() => dismiss(message)}>
          <Icon name="close" />
        </SmallButton>
      )}
    </div>
  );
}
