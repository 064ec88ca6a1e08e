import { playerAddress } from '../../../media-address.ts';

/** Hours, minutes, seconds, such as `1h2m3s`, `90s` or `90`. */
const MOMENT = /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/;
/** What Vimeo asks for before it shows an unlisted film. */
const UNLISTED = /^[\da-f]{6,20}$/i;

export interface Film {
  /** The privacy host's player, which begins by itself, at the moment that the address names. */
  player: string;
  /** Whom pressing asks, such as `youtube-nocookie.com`. */
  host: string;
}

/** The player of a film on YouTube or Vimeo; null for any other address. */
export function filmOf(address: string): Film | null {
  const base = playerAddress(address);
  const given = URL.parse(address.trim());
  if (!base || !given) return null;
  const player = new URL(base);
  player.searchParams.set('autoplay', '1');
  const start = startIn(given);
  if (player.hostname === 'player.vimeo.com') {
    const key = given.searchParams.get('h') ?? given.pathname.split('/').at(-1) ?? '';
    if (UNLISTED.test(key) && !player.pathname.endsWith(`/${key}`)) player.searchParams.set('h', key);
    if (start) player.hash = `t=${start}s`;
  } else if (start) {
    player.searchParams.set('start', String(start));
  }
  return { player: player.href, host: player.hostname.replace('www.', '') };
}

/** In seconds; 0 when the film begins at its beginning. */
function startIn({ searchParams, hash }: URL): number {
  const named = searchParams.get('t') ?? searchParams.get('start') ?? /^#t=(.*)$/.exec(hash)?.[1] ?? '';
  const [, hours = 0, minutes = 0, seconds = 0] = MOMENT.exec(named) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
