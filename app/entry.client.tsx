import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { dropPlaceholders } from './ui/media/placeholder.ts';

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
  dropPlaceholders();
});
