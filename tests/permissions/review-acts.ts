import { admin } from './actors.ts';
import type { Scene } from './stage.ts';

export const ANSWER =
  'select answer_review(p_project => $1, p_answer => $2, p_words => $3, p_mail => $4, p_seen => $5) as answer';
export const VERSION = 'select review_version(p_project => $1) as version';
export const STATES = 'select * from draft_states(p_projects => array[$1::uuid])';
export const CONTACT = 'select leave_contact(p_project => $1, p_email => $2)';

export const readVersion = ({ as }: Scene, id: string): Promise<string> => as(admin).value<string>(VERSION, [id]);

/** Answers a submission as an admin who has read its current version. */
export async function answerReview(scene: Scene, id: string, what: string, words: string | null = 'Why', mail = false) {
  return scene.as(admin).answer(ANSWER, [id, what, words, mail, await readVersion(scene, id)]);
}
