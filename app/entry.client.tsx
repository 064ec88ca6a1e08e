import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { Alive, noteEarlyInput } from './early-input.tsx';
import { dropPlaceholders } from './ui/media/placeholder.ts';

const early = noteEarlyInput();

startTransition(() => {
  hydrateRoot(
    document,
    <Alive early={early}>
      <HydratedRouter />
    </Alive>,
  );
  dropPlaceholders();
});
