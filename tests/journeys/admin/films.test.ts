import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { shortFilm } from '../../../packages/backend/tests/storage/files.ts';
import { mayComplain, PHONE, SCRIPTLESS } from '../../browser.ts';
import { folderForTests } from '../../operator/folder-for-tests.ts';
import { publish } from '../experiments.ts';
import { lookOnPhoneAndDesktop, requestsOf } from '../hands.ts';
import { admin, htmlOf, openAt, openPage, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const folder = folderForTests();

const PIECE = 6 * 1024 ** 2;
const SHORT = 'packages/backend/tests/storage/films/short.webm';
const CAPTIONS = 'packages/backend/tests/storage/films/short.vtt';

async function chooseByKeyboard(field: Locator, path: string): Promise<void> {
  const chooser = field.page().waitForEvent('filechooser');
  await field.press('Space');
  await (await chooser).setFiles(path);
}

/** A film that is uploaded in three pieces: a clip and an empty MP4 box. */
async function longFilm(name: string): Promise<string> {
  const rest = Buffer.alloc(2 * PIECE + 1000);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4, 'latin1');
  await writeFile(join(folder, name), Buffer.concat([await shortFilm('mp4'), rest]));
  return join(folder, name);
}

async function openMedia(page: Page, title: string): Promise<{ id: string; media: Locator; field: Locator }> {
  const id = await publish({ title });
  await enterAdmin(page, admin, `/admin/projects/${id}/edit`);
  const media = page.getByRole('region', { name: 'Media', exact: true });
  return { id, media, field: media.getByLabel('Or a video file') };
}

const filmsOf = async (id: string) => {
  const media = (await dataAs(admin)).from('project_media');
  return (await media.select('type,url,poster,width,height,captions').eq('project_id', id)).data!;
};

it('a film is uploaded by keyboard at 390 and 1440 pixels with poster and captions, and shown to readers', async () => {
  const page = await openPage(PHONE);
  const { id, media, field } = await openMedia(page, 'Filmed on a phone');
  await chooseByKeyboard(field, SHORT);
  await media.getByRole('button', { name: 'Describe Video “short”' }).press('Enter');
  await media.getByText('No captions yet').waitFor();
  const [uploaded] = await filmsOf(id);
  expect(uploaded).toMatchObject({
    type: 'video',
    url: expect.stringMatching(/\/films\/[\da-f-]{36}\.webm$/),
    poster: expect.stringContaining('/case-studies/images/'),
    width: 160,
    height: 90,
  });

  const form = page.getByRole('form', { name: 'Describe Video “short”' });
  const captions = form.getByLabel(/^Captions/);
  await writeFile(join(folder, 'wrong.vtt'), 'WEBVTT\n\n00:01,000 --> 00:02.000\nHello\n');
  await chooseByKeyboard(captions, join(folder, 'wrong.vtt'));
  await form.getByText('Line 3 of the captions is wrong').waitFor();
  await chooseByKeyboard(captions, CAPTIONS);
  await media.getByText('With captions').waitFor();

  await form.getByLabel('short', { exact: true }).evaluate(async (film: HTMLVideoElement) => {
    film.currentTime = 2;
    await new Promise((resolve) => film.addEventListener('seeked', resolve, { once: true }));
  });
  const before = await form.locator('.poster img').getAttribute('src');
  await form.getByRole('button', { name: 'Use this moment as poster' }).press('Enter');
  await expect.poll(() => form.locator('.poster img').getAttribute('src')).not.toBe(before);
  await lookOnPhoneAndDesktop(page);
  await form.getByRole('button', { name: 'Save' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  expect((await filmsOf(id))[0]!.poster).not.toBe(uploaded!.poster);

  const reader = await openPage(PHONE);
  const fetched = requestsOf(reader, (request) => /\/(films|captions)\//.test(request.url()));
  await reader.goto(`/case-studies/${id}`);
  const film = reader.locator('.detail-cover video');
  await film.scrollIntoViewIfNeeded();
  expect(await film.getAttribute('poster')).toContain('/render/image/');
  const loading = await film.evaluate((video: HTMLVideoElement) => [video.autoplay, video.preload, video.controls]);
  expect(loading).toEqual([false, 'none', true]);
  const { width, height } = (await film.boundingBox())!;
  expect(width / height).toBeCloseTo(16 / 9, 1);
  const linkedData = await reader.locator('script[type="application/ld+json"]').allTextContents();
  expect(linkedData).toContainEqual(expect.stringMatching(/"VideoObject".*\/films\//));
  await lookOnPhoneAndDesktop(reader);
  expect(fetched).toEqual([]);
  const cues = await film.evaluate(async (video: HTMLVideoElement) => {
    const [track] = video.querySelectorAll('track');
    const loaded = new Promise((resolve) => track!.addEventListener('load', resolve));
    track!.track.mode = 'showing';
    video.muted = true;
    await video.play();
    await loaded;
    return [...track!.track.cues!].map((cue) => (cue as VTTCue).text);
  });
  expect(cues).toEqual(['[silence]', 'Colours, and a tone']);
});

it('a film needs no script to be played, and covers an experiment without pictures by its poster: on cards, in the feed, in link previews', async () => {
  const older = await openMedia(await openPage(), 'Only filmed');
  await older.field.setInputFiles(SHORT);
  await older.media.getByText('No captions yet').waitFor();
  const [film] = await filmsOf(older.id);
  const poster = /images\/[\da-f-]{36}/.exec(film!.poster as string)![0];
  const newer = await publish({ title: 'After the film' });

  const reader = await openAt('/case-studies?q=Only+filmed', SCRIPTLESS);
  const coverIn = (place: Locator) => place.locator(`img[src*="${poster}"]`).count();
  const previewOf = () => reader.locator('meta[property="og:image"]').getAttribute('content');
  expect(await coverIn(reader.getByRole('listitem').filter({ hasText: 'Only filmed' }))).toBe(1);
  expect(await htmlOf('/feed.xml')).toContain(poster);
  await reader.goto(`/case-studies/${newer}`);
  expect(await coverIn(reader.getByRole('region', { name: 'Next experiment' }))).toBe(1);
  await reader.goto(`/case-studies/${older.id}`);
  expect(await reader.locator('video[controls][poster][src*="/films/"]').count()).toBe(1);
  const preview = await previewOf();
  expect((await fetch(preview!)).status).toBe(200);
  await (await dataAs(admin)).from('project_media').update({ poster: null }).eq('project_id', older.id);
  await reader.goto(`/case-studies/${older.id}`);
  expect(await previewOf()).not.toBe(preview);
});

it('a film continues after a reload where it stopped, and can be cancelled', async () => {
  const page = mayComplain(await openPage());
  page.on('dialog', (dialog) => void dialog.accept());
  const offsets: number[] = [];
  const heldOffsets: number[] = [];
  let isHeld = true;
  await page.route('**/storage/v1/upload/resumable/**', async (route) => {
    const request = route.request();
    const offset = Number(request.headers()['upload-offset']);
    if (request.method() !== 'PATCH') return route.continue();
    if (isHeld && offset > 0) return void heldOffsets.push(offset);
    offsets.push(offset);
    await route.continue();
  });
  const { id, media, field } = await openMedia(page, 'Filmed with a lost connection');
  const path = await longFilm('long.mp4');
  await field.setInputFiles(path);
  const sent = (name: string) => media.getByRole('progressbar', { name: `Upload of ${name}` }).getAttribute('value');
  await expect.poll(() => sent('long.mp4')).toMatch(/^0\.[3-9]/);
  // The progress shows sent bytes; the next piece starts when the first is stored.
  await expect.poll(() => heldOffsets).toEqual([PIECE]);
  await page.reload();
  await media.getByText('long.mp4 is not completely uploaded. Choose it again to continue.').waitFor();
  isHeld = false;
  await field.setInputFiles(path);
  await media.getByText('No captions yet').waitFor();
  expect(offsets).toEqual([0, PIECE, 2 * PIECE]);
  expect(await media.getByText('is not completely uploaded').count()).toBe(0);

  isHeld = true;
  await field.setInputFiles(await longFilm('other.mp4'));
  await expect.poll(() => sent('other.mp4')).toMatch(/^0\.[3-9]/);
  const termination = page.waitForRequest((request) => request.method() === 'DELETE');
  await media.getByRole('button', { name: 'Cancel other.mp4' }).click();
  await termination;
  await page.reload();
  await field.waitFor();
  expect(await media.getByText('is not completely uploaded').count()).toBe(0);
  expect(await filmsOf(id)).toHaveLength(1);
});

it('a film is refused with what to do: before the upload for type, codec and size, by the server for the rest', async () => {
  const page = mayComplain(await openPage());
  const { id, media, field } = await openMedia(page, 'Filmed wrongly');
  const [mp4, webm] = [await shortFilm('mp4'), await shortFilm('webm')];
  const files: [name: string, bytes: Buffer, message: string][] = [
    ['notes.mp4', Buffer.from('no film at all'), 'notes.mp4 is neither an MP4 nor a WebM video.'],
    ['phone.mp4', hevc(mp4), 'is encoded as HEVC (H.265)'],
    ['cut.webm', webm.subarray(0, -500), 'The video ends before it is complete.'],
  ];
  for (const [name, bytes, message] of files) {
    await writeFile(join(folder, name), bytes);
    await field.setInputFiles(join(folder, name));
    await media.getByRole('listitem').filter({ hasText: name }).getByText(message).waitFor();
  }
  const huge = join(folder, 'huge.mp4');
  await writeFile(huge, mp4);
  await truncate(huge, 201 * 1024 ** 2);
  await field.setInputFiles(huge);
  await media.getByText('huge.mp4 is 201.0 MB; a video can be 200 MB at most.').waitFor();
  expect(await filmsOf(id)).toEqual([]);
  expect(await visualFaults(page)).toEqual([]);
});

function hevc(mp4: Buffer): Buffer {
  const copy = Buffer.from(mp4);
  copy.write('hvc1', copy.indexOf('avc1', copy.indexOf('stsd')), 'latin1');
  return copy;
}
