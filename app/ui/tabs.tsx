import { type KeyboardEvent, type ReactNode, useId } from 'react';

export type Tab = { value: string; label: string; panel: ReactNode };

type TabsProps = { label: string; tabs: Tab[]; chosen: string; onChoose: (value: string) => void };

/** Arrow keys, Home and End move between the tabs (ARIA tabs pattern). */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId();

  function move(event: KeyboardEvent<HTMLElement>) {
    const chosenIndex = tabs.findIndex(({ value }) => value === chosen);
    const target = { ArrowRight: chosenIndex + 1, ArrowLeft: chosenIndex - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = (target + tabs.length) % tabs.length;
    onChoose(tabs[index]!.value);
    (event.currentTarget.parentElement!.children[index] as HTMLElement).focus();
  }

  return (
    <div>
      <div className="tabs hairline-below" role="tablist" aria-label={label}>
        {tabs.map(({ value, label: name }) => (
          <button
            type="button"
            className="underlined-on-hover"
            role="tab"
            key={value}
            id={`${id}-${value}`}
            aria-selected={value === chosen}
            aria-controls={`${id}-${value}-panel`}
            tabIndex={value === chosen ? 0 : -1}
            onClick={() => onChoose(value)}
            onKeyDown={move}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ value, panel }) => (
        <div
          className="pad-top-5"
          role="tabpanel"
          key={value}
          id={`${id}-${value}-panel`}
          aria-labelledby={`${id}-${value}`}
          hidden={value !== chosen}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
