import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { indexAt, moveTo, withArrivals } from '#lib/data/sorting.ts';

// Pixels from the window's edge, and pixels per frame, for scrolling during a drag.
const EDGE = 72;
const SPEED = 10;

const words = {
  grabbed: (name: string, place: number, all: number) =>
    `${name} picked up. Place ${place} of ${all}. Move it with the arrow keys, drop it with Space, put it back with Escape.`,
  movedTo: (name: string, place: number, all: number) => `${name}: place ${place} of ${all}.`,
  dropped: (name: string, place: number, all: number) => `${name} dropped at place ${place} of ${all}.`,
};

type DragState = { handle: HTMLElement; id: string; by: 'keys' | 'pointer'; from: number; order: readonly string[] };

/** Drag handles for pointer, touch and keyboard, with announcements. @param onSorted called once, on drop */
export function useSorting<Item extends { id: string }>(
  items: readonly Item[],
  nameIn: (item: Item, place: number) => string,
  onSorted: (ids: readonly string[]) => void,
) {
  const ids = items.map(({ id }) => id);
  const byId = new Map(items.map((item, place) => [item.id, { item, name: nameIn(item, place) }]));
  const nameOf = (id: string) => byId.get(id)?.name ?? '';
  const list = useRef<HTMLOListElement>(null);
  const [held, setGrabbed] = useState<DragState | null>(null);
  const grabbed = held && byId.has(held.id) ? { ...held, order: withArrivals(held.order, ids) } : null;
  const [said, setSaid] = useState('');
  const drag = useRef<{ startY: number; y: number; frame: number } | null>(null);
  const order = grabbed?.by === 'keys' ? grabbed.order : ids;
  const shown = order.flatMap((id) => byId.get(id)?.item ?? []);

  const announceMove = (say: (name: string, place: number, all: number) => string, id: string, at: readonly string[]) =>
    setSaid(say(nameOf(id), at.indexOf(id) + 1, at.length));

  function grab(handle: HTMLElement, id: string, by: DragState['by']) {
    setGrabbed({ handle, id, by, from: ids.indexOf(id), order: ids });
    if (by === 'keys') announceMove(words.grabbed, id, ids);
  }
  function move(place: number) {
    if (!grabbed) return;
    const moved = moveTo(grabbed.order, grabbed.id, place);
    if (moved === grabbed.order) return;
    setGrabbed({ ...grabbed, order: moved });
    announceMove(words.movedTo, grabbed.id, moved);
  }
  function drop() {
    if (!grabbed) return;
    setGrabbed(null);
    announceMove(words.dropped, grabbed.id, grabbed.order);
    if (grabbed.order.indexOf(grabbed.id) !== grabbed.from) onSorted(grabbed.order);
  }
  function putBack() {
    if (!grabbed) return;
    setGrabbed(null);
    setSaid(`${nameOf(grabbed.id)} put back at place ${grabbed.from + 1}.`);
  }

  // A moved row loses the focus.
  const pressedHandle = useRef<HTMLElement | null>(null);
  const key = order.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move by the keyboard or a button
  useLayoutEffect(() => {
    (grabbed?.by === 'keys' ? grabbed.handle : pressedHandle.current)?.focus();
    pressedHandle.current = null;
  }, [key]);

  function followPointer() {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const row = rows[ids.indexOf(grabbed?.id ?? '')];
    if (!drag.current || !row || !grabbed) return;
    row.style.translate = `0 ${drag.current.y - drag.current.startY}px`;
    const middles = rows.filter((other) => other !== row).map((other) => middleOf(other));
    const moved = moveTo(ids, grabbed.id, indexAt(middles, drag.current.y + scrollY));
    // Updates synchronously, because a drop before the next render uses the rendered order.
    if (moved.join() !== grabbed.order.join()) flushSync(() => setGrabbed({ ...grabbed, order: moved }));
  }

  const latestFollow = useRef(followPointer);
  latestFollow.current = followPointer;

  function stopFollowing() {
    cancelAnimationFrame(drag.current?.frame ?? 0);
    drag.current = null;
    for (const row of list.current?.children ?? []) (row as HTMLElement).style.translate = '';
  }
  function endDrag(end: () => void) {
    if (!drag.current) return;
    stopFollowing();
    end();
  }
  useEffect(() => () => cancelAnimationFrame(drag.current?.frame ?? 0), []);

  const scrollAlong = () => {
    const pointer = drag.current;
    if (!pointer) return;
    const step = pointer.y < EDGE ? -SPEED : pointer.y > innerHeight - EDGE ? SPEED : 0;
    const before = scrollY;
    if (step !== 0) scrollBy(0, step);
    pointer.startY -= scrollY - before;
    if (scrollY !== before) latestFollow.current();
    pointer.frame = requestAnimationFrame(scrollAlong);
  };

  const handle = (id: string) => ({
    'aria-pressed': grabbed?.id === id,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (grabbed?.id !== id) {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        return grab(event.currentTarget, id, 'keys');
      }
      const place = grabbed.order.indexOf(id);
      const action = {
        ArrowUp: () => move(place - 1),
        ArrowLeft: () => move(place - 1),
        ArrowDown: () => move(place + 1),
        ArrowRight: () => move(place + 1),
        Home: () => move(0),
        End: () => move(ids.length - 1),
        ' ': drop,
        Enter: drop,
        Escape: () => {
          stopFollowing();
          putBack();
        },
      }[event.key];
      if (event.key === 'Tab') return drop();
      if (!action) return;
      event.preventDefault();
      action();
    },
    // Leaving the handle drops the item; without a target the row only moved in the document.
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) =>
      grabbed?.by === 'keys' && relatedTarget !== null && drop(),
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || grabbed) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      grab(event.currentTarget, id, 'pointer');
      drag.current = { startY: event.clientY, y: event.clientY, frame: requestAnimationFrame(scrollAlong) };
    },
    onPointerMove(event: PointerEvent) {
      if (!drag.current) return;
      drag.current.y = event.clientY;
      followPointer();
    },
    onPointerUp: () => endDrag(drop),
    onPointerCancel: () => endDrag(putBack),
  });

  return {
    list,
    shown,
    nameOf,
    handle,
    said,
    look(id: string): { 'data-held'?: true; 'data-mark'?: 'before' | 'after' } {
      if (!grabbed) return {};
      if (grabbed.id === id) return { 'data-held': true };
      const index = grabbed.order.indexOf(grabbed.id);
      if (grabbed.by === 'keys' || index === grabbed.from) return {};
      if (grabbed.order[index + 1] === id) return { 'data-mark': 'before' };
      return index === ids.length - 1 && grabbed.order[index - 1] === id ? { 'data-mark': 'after' } : {};
    },
    steps: (id: string) => ({
      name: nameOf(id),
      first: order[0] === id,
      last: order.at(-1) === id,
      onStep(by: 1 | -1, button: HTMLElement) {
        const moved = moveTo(ids, id, ids.indexOf(id) + by);
        if (moved === ids) return;
        pressedHandle.current = button;
        announceMove(words.movedTo, id, moved);
        onSorted(moved);
      },
    }),
  };
}

function middleOf(row: HTMLElement): number {
  const { top, height } = row.getBoundingClientRect();
  return top + scrollY + height / 2;
}
