import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { findByWords } from '#features/projects/model/list.ts';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { adminActions, screensFor } from '#lib/words/admin.ts';
import { shell } from '#lib/words/shell.ts';
import { useOwnRole } from '#session/caller.ts';
import { useRead } from '#session/use-read.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useDebounced } from '#ui/form/use-debounced.ts';
import { type Command, commandsFor, movedSelection } from './model/command.ts';

export const CommandMenu = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    className="command-menu clip"
    aria-label={shell.commandTitle}
    onCancel={onClose}
    // Safari does not know closedby, and a phone has no Escape key.
    onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
  >
    {open && <Combobox onClose={onClose} />}
  </Dialog>
);

function Combobox({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const screens = screensFor(useOwnRole());
  const { projects, state } = useProjectsFor(typed);
  const groups = [
    { label: 'Screens', commands: commandsFor(screens, typed) },
    { label: 'Actions', commands: commandsFor<Command>(adminActions, typed) },
    { label: 'Projects', commands: projects },
  ].filter(({ commands }) => commands.length > 0);
  const all = groups.flatMap(({ commands }) => commands);
  // Appends server results, so that the selection stays.
  const active = all.length === 0 ? -1 : Math.min(at, all.length - 1);
  const count = all.length === 1 ? '1 result' : `${all.length} results`;
  const found = all.length === 0 ? 'Nothing matches.' : <span className="hidden-text">{count}</span>;

  const run = ({ href: to, leaves }: Command) => {
    onClose();
    if (leaves) location.assign(to);
    else void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = typed && /Home|End/.test(event.key) ? null : movedSelection(event.key, active, all.length);
    if (target !== null) setAt(target);
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    else if (all[active]) run(all[active]);
    event.preventDefault();
  };
  return (
    <>
      <label className="hidden-text" htmlFor={`${id}-field`}>
        {shell.commandLabel}
      </label>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        className="command-field ring-inside full"
        id={`${id}-field`}
        role="combobox"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={shell.commandLabel}
        maxLength={MAX_SEARCH_LENGTH}
        aria-expanded={all.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="command-list" id={`${id}-list`} role="listbox" aria-label={shell.commandTitle}>
        {groups.map(({ label, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
          <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
            <p className="command-group quiet small" id={`${id}-${label}`} role="presentation">
              {label}
            </p>
            {commands.map((command) => {
              const index = all.indexOf(command);
              return (
                <Option
                  key={command.href}
                  id={`${id}-${index}`}
                  label={command.label}
                  chosen={index === active}
                  onPoint={() => setAt(index)}
                  onRun={() => run(command)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className="command-state quiet pad-x-5" role="status">
        {{ searching: 'Searching projects...', failed: 'Projects could not be searched.', still: found }[state]}
      </p>
    </>
  );
}

type OptionProps = { id: string; label: string; chosen: boolean; onPoint: () => void; onRun: () => void };

function Option({ id, label, chosen, onPoint, onRun }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
    <div
      className="command-option touch inline gap-0 anywhere"
      ref={option}
      id={id}
      role="option"
      aria-selected={chosen}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      {label}
    </div>
  );
}

function useProjectsFor(typed: string): { projects: Command[]; state: 'searching' | 'failed' | 'still' } {
  const search = typed.trim();
  const words = useDebounced(search, 200);
  const results = useRead(['projects', 'words', words], (data) => findByWords(data, words), { enabled: words !== '' });
  if (search === '') return { projects: [], state: 'still' };
  if (words !== search || results.isPending) return { projects: [], state: 'searching' };
  return {
    projects: (results.data ?? []).map(({ id, title, client }) => ({
      label: client ? `${title}, ${client}` : title,
      href: href('/admin/projects/:id', { id }),
    })),
    state: results.isError ? 'failed' : 'still',
  };
}
