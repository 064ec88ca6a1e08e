import { useEffect, useRef, useState } from 'react';

/**
 * The text of a field whose value stands in the address. The address follows late, so it replaces what is typed only when
 * it brings something this field did not send: after back, forward or a link.
 */
export function useLatest(value: string, onSend: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  // Sent, and not in the address yet.
  const underway = useRef<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    if (!underway.current.includes(value)) setTyped(value);
  }
  useEffect(() => {
    // What was sent before the one that arrived will not arrive any more.
    const arrived = underway.current.lastIndexOf(value);
    underway.current = arrived < 0 ? [] : underway.current.slice(arrived + 1);
  }, [value]);

  function send(text: string) {
    underway.current.push(text);
    onSend(text);
  }
  return {
    typed,
    setTyped,
    send,
    /** Sends what is not there, or on its way, already. */
    sendChange: (text: string) => text !== (underway.current.at(-1) ?? value) && send(text),
  };
}
