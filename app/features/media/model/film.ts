import { playerAddress } from '../../../../media-address.ts';

/** Hours, minutes, seconds, such as `1h2m3s`, `90s` or `90`. */
const MOMENT = /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/;
/** The hash Vimeo requires to show an unlisted video. */
const UNLISTED = /^[\da-f]{6,20}$/i;

/** `host`: contacted on click, such as `youtube-nocookie.com`. */
export type Film = { player: string; host: string };

export function filmOf(address: string): Film | null {
  const base = playerAddress(address);
  const parsed = URL.parse(address.trim());
  if (!base || !parsed) return null;
  const player = new URL(base);
  player.searchParams.set('autoplay', '1');
  const start = startIn(parsed);
  if (player.hostname === 'player.vimeo.com') {
    const key = parsed.searchParams.get('h') ?? parsed.pathname.split('/').at(-1) ?? '';
    if (UNLISTED.test(key) && !player.pathname.endsWith(`/${key}`)) player.searchParams.set('h', key);
    if (start) player.hash = `t=${start}s`;
  } else if (start) {
    player.searchParams.set('start', String(start));
  }
  return { player: player.href, host: player.hostname.replace('www.', '') };
}

function startIn({ searchParams, hash }: URL): number {
  const named = searchParams.get('t') ?? searchParams.get('start') ?? /^#t=(.*)$/.exec(hash)?.[1] ?? '';
  const [, hours = 0, minutes = 0, seconds = 0] = MOMENT.exec(named) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
