import { builtInMasterclass } from '#features/masterclass/words/defaults.ts';
import { type Agency, builtInAgency } from '#lib/words/agency.ts';
import type { ProjectFact } from './project-facts.ts';

/** Everything that an admin configures about the site. Public: must not contain secrets. */
export interface Facts {
  agency: Agency;
  masterclass: Masterclass;
  /** Members of the collective that About shows, in this order. */
  people: readonly Person[];
  /** Teachers of the masterclass; when empty, the page describes them without names. */
  teachers: readonly Teacher[];
  /** Whether page views are counted, anonymously and on our own server. */
  countReading: boolean;
  /** Whether admins need a second factor. Informational: the database enforces it. */
  adminsNeedSecondFactor: boolean;
  /** Retention of contact messages, in days. Informational: the database enforces it. */
  contactMessageDays: number;
  /** Retention of submitters' addresses after the answer, in days. Informational: the database enforces it. */
  submitterAddressDays: number;
  /** Whether failing content checks block publishing. The database enforces it for images. */
  publishingNeedsChecks: boolean;
  masterclassSeatsTaken: number;
  /** Fields of projects besides the built-in ones, in order. */
  projectFacts: readonly ProjectFact[];
  /** Who receives the tenth of a profit that the terms leave unallocated; empty until decided. */
  unallocatedShareTo: string;
}

/** `portrait`: address or path of a square picture; empty without one. */
export type Person = { name: string; craft: string; city: string; portrait: string };

export type Teacher = { name: string; portrait: string; record: string };

export interface Masterclass {
  /** Local days, in order: `2027-05-10`. */
  days: string[];
  /** Local time, every day: `14:30`. */
  from: string;
  to: string;
  /** Of the venue: `+05:30`. */
  utcOffset: string;
  city: string;
  seats: number;
  perQuarter: number;
  /** In rupees, per seat. */
  standardFee: number;
  memberFee: number;
  saving: number;
}

export const builtInFacts: Facts = {
  agency: builtInAgency,
  masterclass: builtInMasterclass,
  masterclassSeatsTaken: 0,
  people: [],
  teachers: [],
  countReading: false,
  adminsNeedSecondFactor: false,
  contactMessageDays: 730,
  submitterAddressDays: 30,
  publishingNeedsChecks: false,
  projectFacts: [],
  unallocatedShareTo: '',
};
