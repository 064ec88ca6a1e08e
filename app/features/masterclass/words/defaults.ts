/** Default until an admin sets the next masterclass; fields as in `features/settings/model/facts.ts`. */
export const builtInMasterclass = {
  days: ['2025-05-10', '2025-05-11'],
  from: '14:30',
  to: '19:00',
  utcOffset: '+05:30',
  city: 'Mumbai',
  seats: 5,
  perQuarter: 2,
  standardFee: 12_500,
  memberFee: 9_985,
  saving: 90,
};
