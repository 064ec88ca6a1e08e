import { describe, expect, it } from 'vitest';
import { legal } from '#features/pages/words/legal.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import { builtInFacts } from './facts.ts';
import { builtInText, fillPlaceholders, legalPage, partsOf } from './legal-page.ts';

const kept = { messages: '2 years', addresses: '30 days' };

describe('parts of a legal text', () => {
  it('start at headings; text before the first heading has no name', () => {
    expect(partsOf('<p>First.</p><h2>Your <em>rights</em></h2><p>Ask.</p><h3>Small</h3><p>Print.</p>')).toEqual([
      { id: '', title: '', html: '<p>First.</p>' },
      { id: 'your-rights', title: 'Your rights', html: '<p>Ask.</p><h3>Small</h3><p>Print.</p>' },
    ]);
  });

  it('have unique fragments, also with equal titles, titles without letters and titles like ids of the frame', () => {
    const ids = partsOf('<h2>Law</h2><p>a</p><h2>Law</h2><p>b</p><h2>!!!</h2><p>c</p><h2>???</h2><h2>Account</h2>');
    expect(ids.map(({ id }) => id)).toEqual(['law', 'law-2', 'part', 'part-2', 'account-2']);
  });

  it('are sanitized; empty parts are omitted', () => {
    const body = '<h2></h2><h2 onclick="x()">One</h2><script>alert(1)</script><p>Text</p><p> </p>';
    const { parts } = legalPage('terms', { terms: { body, changed: '2026-11-01' } }, builtInFacts);
    expect(parts).toEqual([{ id: 'one', title: 'One', html: expect.stringContaining('<p>Text</p>') }]);
    expect(parts[0]!.html).not.toContain('alert');
  });

  it('are numerous in the built-in texts, each with text', () => {
    for (const { body } of Object.values(legal)) {
      const [intro, ...parts] = partsOf(body(builtInAgency, kept));
      expect(intro!.title).toBe('');
      expect(parts.length).toBeGreaterThan(8);
      expect(parts.every(({ html }) => html.length > 60)).toBe(true);
    }
  });
});

describe('placeholders in a legal text', () => {
  const agency = { ...builtInAgency, organisation: 'Fish & <b>Chips</b>', email: 'us@bedlam.example' };
  const facts = { ...builtInFacts, agency };

  it('are replaced by the current facts as plain text (CFG-01)', () => {
    expect(fillPlaceholders('<p>{organisation}, <a href="mailto:{email}">{email}</a>, {nonsense}</p>', facts)).toBe(
      '<p>Fish &amp; &lt;b&gt;Chips&lt;/b&gt;, <a href="mailto:us@bedlam.example">us@bedlam.example</a>, {nonsense}</p>',
    );
  });

  it('state the configured retention times', () => {
    const times = { ...facts, contactMessageDays: 365, submitterAddressDays: 1 };
    expect(fillPlaceholders('{time messages are kept}, {time addresses are kept}', times)).toBe('1 year, 1 day');
    const privacy = fillPlaceholders(builtInText('privacy'), { ...times, contactMessageDays: 45 });
    expect(privacy).toContain('deleted after 45 days');
  });

  it('are all replaced in the built-in texts (CFG-03)', () => {
    for (const slug of ['privacy', 'terms'] as const) {
      expect(builtInText(slug)).toContain('{email}');
      const filled = fillPlaceholders(builtInText(slug), builtInFacts);
      expect(partsOf(filled)).toEqual(partsOf(legal[slug].body(builtInAgency, kept)));
    }
  });
});
