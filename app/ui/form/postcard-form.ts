export function watchPostcard(): void {
  const form = document.querySelector<HTMLFormElement>('.postcard-form');
  const opened = form?.querySelector<HTMLInputElement>('[name=opened]');
  if (!form || !opened) return;
  opened.value ||= String(Date.now());
  form.addEventListener('submit', (event) => {
    if (form.ariaBusy) event.preventDefault();
    form.ariaBusy = 'true';
  });
  addEventListener('pageshow', () => {
    form.ariaBusy = null;
  });
}
