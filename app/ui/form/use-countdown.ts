import { useEffect, useState } from 'react';

const TICK = 1_000;

export function useCountdown(seconds: number): [left: number, begin: (seconds: number) => void] {
  const [end, setEnd] = useState(() => Date.now() + seconds * TICK);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / TICK)));
    update();
    const timer = setInterval(update, TICK);
    return () => clearInterval(timer);
  }, [end]);
  return [left, (again) => setEnd(Date.now() + again * TICK)];
}
