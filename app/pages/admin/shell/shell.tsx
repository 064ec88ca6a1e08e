import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { StatusRegion, useStatus } from '../../../ui/feedback/status.tsx';
import { restoreFocus } from '../../../ui/restore-focus.ts';
import { focusLinkTo } from '../../../ui/return-focus.ts';
import { CommandMenu } from './command-menu.tsx';
import { KeySheet } from './key-sheet.tsx';
import { pressInList } from './list-keys.ts';
import { Sidebar } from './sidebar.tsx';
import { belongsElsewhere, singleKeysOn } from './single-keys.ts';

/** What surrounds every screen: sidebar, command menu, keys and the status region. */
export const Shell = ({ children }: { children: ReactNode }) => (
  <StatusRegion>
    <Frame>{children}</Frame>
  </StatusRegion>
);

function Frame({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<'commands' | 'keys' | null>(null);
  const { undoLast } = useStatus();
  useFocusAfterNavigation();

  // With the screen itself, not after it: whoever sees it may press a key.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isCommandKey(event)) {
        event.preventDefault();
        setOpen((before) => (before === 'commands' ? null : 'commands'));
        return;
      }
      if (belongsElsewhere(event) || !singleKeysOn()) return;
      if (event.key === '?') setOpen('keys');
      else if (event.key === 'u') undoLast();
      else if (!pressInList(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [undoLast]);

  const close = () => setOpen(null);
  return (
    <>
      <a className="skip-link" href="#screen">
        Skip to content
      </a>
      <Sidebar onCommands={() => setOpen('commands')} onKeys={() => setOpen('keys')} />
      <main className="admin-main" id="screen" tabIndex={-1}>
        {children}
      </main>
      <CommandMenu open={open === 'commands'} onClose={close} />
      <KeySheet open={open === 'keys'} onClose={close} />
    </>
  );
}

/** The link that was pressed goes with its screen: the keyboard begins at the new one, and a step back leads to that link again. */
function useFocusAfterNavigation() {
  const { pathname } = useLocation();
  const back = useNavigationType() === NavigationType.Pop;
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    const left = location.origin + before.current;
    before.current = pathname;
    const screen = document.getElementById('screen');
    const nowhere = [document.body, screen].includes(document.activeElement as HTMLElement);
    if (!(back && nowhere && screen && focusLinkTo(left, screen))) restoreFocus();
  }, [pathname, back]);
}

/** Ctrl+K or ⌘K; in a text with marks it is the editor's key for a link, and another dialog keeps the keys to itself. */
function isCommandKey(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  return (
    event.key.toLowerCase() === 'k' &&
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey &&
    !event.defaultPrevented &&
    !target?.closest('[contenteditable="true"]') &&
    !document.querySelector('dialog[open]:not(.command-menu)')
  );
}
