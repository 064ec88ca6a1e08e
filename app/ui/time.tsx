type Style = Intl.DateTimeFormatOptions;

const DAY: Style = { day: 'numeric', month: 'short', year: 'numeric' };
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** A formatter costs far more than what it writes, so it is made once, by the first who needs it. */
function writer(style: Style): (at: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat('en-GB', style);
    return format.format(new Date(at));
  };
}
// A day without a time is read as its midnight in UTC, which is the day before on many clocks; and what the server writes
// has to say the same everywhere.
const writerInUtc = (style: Style) => writer({ ...style, timeZone: 'UTC' });

/** `3 May`, in UTC. */
export const shortDay = writerInUtc({ day: 'numeric', month: 'short' });

/** `3 May 2026`, in UTC. */
export const utcDay = writerInUtc(DAY);

/** `3 May 2026`, where the reader is. */
export const localDay = writer(DAY);

/** `3 March 2026`, in UTC. */
export const longDay = writerInUtc({ dateStyle: 'long' });

const moment = writer({ dateStyle: 'medium', timeStyle: 'short' });
const longMoment = writer({ dateStyle: 'long', timeStyle: 'short' });
const recentMoment = writer({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** `14:32`, where the reader is. */
export const localTime = writer({ timeStyle: 'short' });

/** A day as people write it; the exact time is in the markup. */
export const DayTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{DAY_ALONE.test(at) ? utcDay(at) : localDay(at)}</time>
);

/** A day that is the same for everybody, because the server writes it. */
export const UtcDay = ({ at }: { at: string }) => <time dateTime={at}>{utcDay(at)}</time>;

/** Day and time where the reader is, to the minute. */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{moment(at)}</time>;

/** The same with the month in full. */
export const LongMoment = ({ at }: { at: string }) => <time dateTime={at}>{longMoment(at)}</time>;

/** The same without the year: for what happens these days. */
export const RecentMoment = ({ at }: { at: string }) => <time dateTime={at}>{recentMoment(at)}</time>;

/** Only the time: for what happens today. */
export const Clock = ({ at }: { at: string }) => <time dateTime={at}>{localTime(at)}</time>;
