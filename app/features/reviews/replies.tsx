import { useState } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { useCallerId } from '#session/caller.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { filledIn, type WordedAnswer } from './model/reply-templates.ts';
import { nameOfDesk, type SubmissionReview } from './model/review.ts';
import { useReplies } from './reply-queries.ts';
import { useDesks } from './review-queries.ts';
import { replyWords as words } from './words/review.ts';

export function Replies({
  answer,
  reading: { experiment },
  onChoose,
}: {
  answer: WordedAnswer;
  reading: SubmissionReview;
  onChoose: (words: string) => void;
}) {
  const { data: replies = [] } = useReplies();
  const { data: desks = [] } = useDesks();
  const me = useCallerId();
  const site = useFacts().agency.name;
  const [chosen, setChosen] = useState('');
  const fitting = replies.filter((reply) => reply.answer === answer);
  const reply = fitting.find(({ id }) => id === chosen) ?? fitting[0];
  if (!reply) return null;
  const own = desks.find(({ user_id }) => user_id === me);
  const facts = {
    title: experiment.title,
    client: experiment.client?.trim() || words.yourClient,
    site,
    me: own ? nameOfDesk(own) : site,
  };
  return (
    <div className="review-replies">
      <SelectField label={words.choose} value={reply.id} onChange={({ target }) => setChosen(target.value)}>
        {fitting.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button variant="secondary" size="admin" onClick={() => onChoose(filledIn(reply.body, facts))}>
        {words.putIn}
      </Button>
      <a href={`${href('/admin/settings')}#replies`} target="_blank" rel="noopener">
        {words.edit}
        <span className="hidden-text"> (opens a new tab)</span>
      </a>
    </div>
  );
}
