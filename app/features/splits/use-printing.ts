import { useState } from 'react';

/** The part of the page that is being printed, and what prints one. */
export function usePrinting<Part>() {
  const [printing, setPrinting] = useState<Part>();
  const print = (part: Part) => {
    setPrinting(part);
    setTimeout(() => {
      window.print();
      setPrinting(undefined);
    });
  };
  return [printing, print] as const;
}
