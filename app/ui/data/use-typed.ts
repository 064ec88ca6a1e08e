import { useEffect, useRef, useState } from 'react';

/** A field whose value is in the address, which lags behind: only what this field did not send replaces its text. */
export function useLatest(value: string, onSend: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const underway = useRef<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    if (!underway.current.includes(value)) setTyped(value);
  }
  useEffect(() => {
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
    sendChange: (text: string) => text !== (underway.current.at(-1) ?? value) && send(text),
  };
}
