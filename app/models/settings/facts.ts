import { type Agency, builtInAgency } from '../../copy/agency.ts';
import { builtInMasterclass } from '../../copy/masterclass.ts';

/** Everything that an admin configures about the site. No secret belongs here: everybody can read it. */
export interface Facts {
  agency: Agency;
  masterclass: Masterclass;
  /** Whether reading is counted, anonymously and on our own server. */
  countReading: boolean;
  /** Whether admins have to show a second factor. Only said here: the database sees to it. */
  adminsNeedSecondFactor: boolean;
  /** How long messages from the contact form are kept, in days. Only said here: the database sees to it. */
  contactMessageDays: number;
  /** How long addresses that submitters left are kept after the answer, in days. Only said here: the database sees to it. */
  submitterAddressDays: number;
  /** Whether nothing is published while the check of its content finds something. The database sees to its pictures. */
  publishingNeedsChecks: boolean;
  /** Where the tenth of a profit goes that the terms give to nobody; empty until the collective has said so. */
  unallocatedShareTo: string;
}

/** The next masterclass, or the last one. */
export interface Masterclass {
  /** Local days at the place, in order: `2027-05-10`. */
  days: string[];
  /** Local time at the place, every day: `14:30`. */
  from: string;
  to: string;
  /** Of the place: `+05:30`. */
  utcOffset: string;
  city: string;
  seats: number;
  perQuarter: number;
  /** In rupees, per seat. */
  standardFee: number;
  memberFee: number;
  /** Most time and cost that is saved, in percent. */
  saving: number;
}

export const builtInFacts: Facts = {
  agency: builtInAgency,
  masterclass: builtInMasterclass,
  countReading: false,
  adminsNeedSecondFactor: false,
  contactMessageDays: 730,
  submitterAddressDays: 30,
  publishingNeedsChecks: false,
  unallocatedShareTo: '',
};
