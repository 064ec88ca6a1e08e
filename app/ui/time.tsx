type Style = Intl.DateTimeFormatOptions;

const DAY: Style = { day: 'numeric', month: 'short', year: 'numeric' };
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** A formatter is expensive, so it is created once, on first use. */
function writer(style: Style): (at: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat('en-GB', style);
    return format.format(new Date(at));
  };
}
// A date without a time is parsed as midnight UTC; server output must not depend on the time zone.
const writerInUtc = (style: Style) => writer({ ...style, timeZone: 'UTC' });

export const wholeDays = (since: string) => Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 86_400_000));

export const shortDay = writerInUtc({ day: 'numeric', month: 'short' });

/** `3 May 2026`, in UTC. */
export const utcDay = writerInUtc(DAY);

/** `3 May 2026`, in the reader's time zone. */
export const localDay = writer(DAY);

export const longDay = writerInUtc({ dateStyle: 'long' });

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `14:32`, in the reader's time zone. */
export const localTime = writer({ timeStyle: 'short' });

const timeElement =
  (write: (at: string) => string) =>
  ({ at }: { at: string }) => <time dateTime={at}>{write(at)}</time>;

export const DayTime = timeElement((at) => (DAY_ALONE.test(at) ? utcDay(at) : localDay(at)));
export const UtcDay = timeElement(utcDay);
export const Moment = timeElement(writer({ dateStyle: 'medium', timeStyle: 'short' }));
export const ZonedMoment = timeElement(writer({ ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }));
export const LongMoment = timeElement(writer({ dateStyle: 'long', timeStyle: 'short' }));
export const RecentMoment = timeElement(writer({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }));
export const Clock = timeElement(localTime);
