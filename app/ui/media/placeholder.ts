/**
 * Takes the blurred stand-in away from each picture that has arrived: behind a transparent picture, or one that does not
 * fill its box, it would show through for ever.
 */
export function dropPlaceholders(): void {
  const drop = ({ target }: { target: EventTarget | null }) => {
    if (target instanceof HTMLImageElement) target.style.removeProperty('background-image');
  };
  // The event of a picture does not rise; it can only be caught on its way down.
  addEventListener('load', drop, { capture: true });
  for (const picture of document.images) if (picture.complete && picture.naturalWidth > 0) drop({ target: picture });
}
