import { isColour } from '../brand/colours.ts';
import { isEmail } from '../data/email.ts';

const protocolOf = (text: string) => URL.parse(text)?.protocol ?? '';

export const textFormats = {
  colour: [isColour, 'Please choose a colour such as #2a44f5'],
  email: [isEmail, 'Please enter an email address'],
  phone: [(text) => /^\+?[\d\s()./-]{5,}$/.test(text), 'Please enter a phone number'],
  chat: [(text) => /^\d{6,15}$/.test(text), 'Please enter the number with its country code, digits only'],
  web: [(text) => /^https?:$/.test(protocolOf(text)), 'Please enter an address that begins with https://'],
  link: [
    (text) => /^(\/(?!\/)|#)/.test(text) || /^(https?|mailto|tel):$/.test(protocolOf(text)),
    'Please enter a page of this site such as /about, or an address that begins with https://',
  ],
  picture: [
    (text) => /^\/(?!\/)/.test(text) || protocolOf(text) === 'https:',
    'Please enter an address that begins with https:// or a path that begins with /',
  ],
  host: [(text) => /^([a-z\d-]+\.)+[a-z]{2,}$/.test(text), 'Please enter host names such as images.example.com'],
  country: [(text) => /^[A-Z]{2}$/.test(text), 'Please enter the two letters of the country, such as IN'],
  offset: [
    (text) => /^[+-](0\d|1[0-4]):[0-5]\d$/.test(text),
    'Please enter the time zone as hours from UTC, such as +05:30',
  ],
  count: [(text) => /^[1-9]$/.test(text), 'Please enter a number from 1 to 9'],
  minutes: [(text) => /^\d{1,3}$/.test(text), 'Please enter minutes'],
} satisfies Record<string, [fits: (text: string) => boolean, otherwise: string]>;

export type TextFormat = keyof typeof textFormats;
