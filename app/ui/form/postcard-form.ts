/** Notes when a form was opened, and lets it be sent once, however often its button is pressed. */
export function watchPostcard(): void {
  const form = document.querySelector<HTMLFormElement>('.postcard-form');
  const opened = form?.querySelector<HTMLInputElement>('[name=opened]');
  if (!form || !opened) return;
  opened.value ||= String(Date.now());
  form.addEventListener('submit', (event) => {
    if (form.ariaBusy) event.preventDefault();
    form.ariaBusy = 'true';
  });
  // Coming back by history finds the form as it was left, but ready.
  addEventListener('pageshow', () => {
    form.ariaBusy = null;
  });
}
