/** Removes the blurred placeholder of each loaded picture: it would show through transparent pictures. */
export function dropPlaceholders(): void {
  const removePlaceholder = ({ target }: { target: EventTarget | null }) => {
    if (target instanceof HTMLImageElement) target.style.removeProperty('background-image');
  };
  // Load events do not bubble, so they are captured; those of pictures never reach the window.
  document.addEventListener('load', removePlaceholder, { capture: true });
  for (const picture of document.images)
    if (picture.complete && picture.naturalWidth > 0) removePlaceholder({ target: picture });
}
