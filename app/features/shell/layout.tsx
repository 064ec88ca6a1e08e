import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { commandKeys, keySheet } from '#lib/words/shell.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { StatusRegion, useStatus } from '#ui/feedback/status.tsx';
import { focusLinkTo, restoreFocus } from '#ui/restore-focus.ts';
import { CommandMenu } from './command-menu.tsx';
import { pressInList } from './list-keys.ts';
import { Sidebar } from './sidebar.tsx';
import './shell.css';
import '#ui/admin/rows.css';
import '#ui/admin/sections.css';

export const meta = privateTags(admin.title);

const AdminLayout = () => (
  <div className="admin stack gap-0">
    <StatusRegion>
      <Shell />
    </StatusRegion>
  </div>
);
export default AdminLayout;

function Shell() {
  const [open, setOpen] = useState<'commands' | 'keys' | null>(null);
  const { undoLast } = useStatus();
  const screen = useRef<HTMLElement>(null);
  useFocusAfterNavigation(screen);

  // Uses the layout effect, because a key can be pressed as soon as the screen is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isCommandKey(event) && (open === 'commands' || !isDialogOpen())) {
        event.preventDefault();
        setOpen(open ? null : 'commands');
        return;
      }
      if (belongsElsewhere(event) || !singleKeysOn()) return;
      if (event.key === '?') setOpen('keys');
      else if (event.key === 'u') undoLast();
      else if (!pressInList(event.key, screen.current!)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [undoLast, open]);

  const close = () => setOpen(null);
  return (
    <>
      <a className="skip-link on-ink" href="#screen">
        Skip to content
      </a>
      <Sidebar onCommands={() => setOpen('commands')} onKeys={() => setOpen('keys')} />
      <main ref={screen} className="admin-main shrink" id="screen" tabIndex={-1}>
        <Outlet />
      </main>
      <CommandMenu open={open === 'commands'} onClose={close} />
      <Dialog open={open === 'keys'} title="Keys" closedby="any" closeLabel="Close" onCancel={close}>
        <Keys />
      </Dialog>
    </>
  );
}

/** The clicked link disappears with its screen: focus the new screen, and that link after back navigation. */
function useFocusAfterNavigation(main: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    const previousAddress = location.origin + previousPath.current;
    previousPath.current = pathname;
    const screen = main.current;
    const hasNoFocus = [document.body, screen].includes(document.activeElement as HTMLElement);
    if (!(isBack && hasNoFocus && screen && focusLinkTo(previousAddress, screen))) restoreFocus();
  }, [pathname, isBack, main]);
}

/** Ctrl+K or ⌘K, except in the editor, where it inserts a link. */
function isCommandKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  const isCommandK = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !(shiftKey || altKey);
  return isCommandK && !defaultPrevented && !isWithin(event, '[contenteditable="true"]');
}

function Keys() {
  const [on, setOn] = useState(singleKeysOn);
  const change = (checked: boolean) => {
    writeStored('localStorage', DISABLED_KEY, checked ? null : 'off');
    setOn(checked);
  };
  return (
    <>
      <p className="gap-above">They work in lists and never while you type in a field.</p>
      <dl className="key-list gap-above below-4 hairline">
        {[commandKeys, ...(on ? keySheet : [])].map(({ keys, does }) => (
          <div className="stack baseline gap-3 hairline-below" key={does}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && ' or '}
                  <kbd className="framed one-line">{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={on} onChange={({ target }) => change(target.checked)} />
        Use single keys on this device
      </label>
    </>
  );
}

const DISABLED_KEY = 'madhouse.admin.single-keys';

const singleKeysOn = (): boolean => readStored('localStorage', DISABLED_KEY) !== 'off';

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

const isWithin = ({ target }: Event, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

/** Whether a key event is text input, or belongs to a dialog, a menu or the browser. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  const { defaultPrevented, isComposing, ctrlKey, altKey, metaKey } = event;
  const isShortcut = ctrlKey || altKey || metaKey;
  return defaultPrevented || isComposing || isShortcut || isWithin(event, FIELDS) || isDialogOpen();
}
