const FORMAT = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const localDay = new Intl.DateTimeFormat('en-GB', FORMAT);
// A day without a time is read as its midnight in UTC, which is the day before on many clocks.
const sameDayEverywhere = new Intl.DateTimeFormat('en-GB', { ...FORMAT, timeZone: 'UTC' });
const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

/** A day as people write it; the exact time is in the markup. */
export const DayTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{(DAY_ALONE.test(at) ? sameDayEverywhere : localDay).format(new Date(at))}</time>
);
