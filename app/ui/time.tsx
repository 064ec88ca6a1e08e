type Style = Intl.DateTimeFormatOptions;

const DAY: Style = { day: 'numeric', month: 'short', year: 'numeric' };
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

const write = (at: string, style: Style): string => new Intl.DateTimeFormat('en-GB', style).format(new Date(at));
// A day without a time is read as its midnight in UTC, which is the day before on many clocks; and what the server writes
// has to say the same everywhere.
const writeInUtc = (at: string, style: Style): string => write(at, { ...style, timeZone: 'UTC' });

/** `3 May`, in UTC. */
export const shortDay = (at: string): string => writeInUtc(at, { day: 'numeric', month: 'short' });

/** `3 May 2026`, in UTC. */
export const utcDay = (at: string): string => writeInUtc(at, DAY);

/** `3 May 2026`, where the reader is. */
export const localDay = (at: string): string => write(at, DAY);

/** `3 March 2026`, in UTC. */
export const longDay = (at: string): string => writeInUtc(at, { dateStyle: 'long' });

/** A day as people write it; the exact time is in the markup. */
export const DayTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{DAY_ALONE.test(at) ? utcDay(at) : localDay(at)}</time>
);

/** A day that is the same for everybody, because the server writes it. */
export const UtcDay = ({ at }: { at: string }) => <time dateTime={at}>{utcDay(at)}</time>;

/** Day and time where the reader is, to the minute. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at}>{write(at, { dateStyle: 'medium', timeStyle: 'short' })}</time>
);

/** The same with the month in full. */
export const LongMoment = ({ at }: { at: string }) => (
  <time dateTime={at}>{write(at, { dateStyle: 'long', timeStyle: 'short' })}</time>
);

/** The same without the year: for what happens these days. */
export const RecentMoment = ({ at }: { at: string }) => (
  <time dateTime={at}>{write(at, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}</time>
);

/** Only the time: for what happens today. */
export const Clock = ({ at }: { at: string }) => <time dateTime={at}>{write(at, { timeStyle: 'short' })}</time>;
