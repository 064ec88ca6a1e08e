import { describe, expect, it } from 'vitest';
import { readSvg } from './clean-svg.ts';

const svg = (inner: string, root = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"${root}>${inner}</svg>`;

const GRADIENT =
  '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><rect width="9" height="9" fill="url(#a)"></rect>';

describe('an SVG logo', () => {
  it.each([
    ['shapes', svg('<path d="M0 0h90v30z" fill="#0a0"></path>')],
    ['a gradient that is used by its id', svg(GRADIENT)],
    ['a style sheet', svg('<style>.a{fill:url(#b)}</style><g class="a"><circle r="3"></circle></g>')],
    ['an embedded picture', svg('<image href="data:image/png;base64,AAAA" width="9" height="9"></image>')],
  ])('keeps %s', (_, logo) => expect(readSvg(logo)).toEqual({ svg: logo, problem: null }));

  it('drops what a program wrote about it', () => {
    const file = `\uFEFF<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd"><!-- made by --><svg viewBox="0 0 9 9" inkscape:version="1"><title>Logo</title><metadata>me</metadata><sodipodi:namedview/><path d="M0 0"/></svg>`;
    expect(readSvg(file).svg).toBe('<svg viewBox="0 0 9 9"><path d="M0 0"></path></svg>');
  });

  it.each([
    ['a script', svg('<script>alert(1)</script>'), /contains a script/],
    ['a script in another name space', svg('<svg:script>alert(1)</svg:script>'), /contains a script/],
    ['an event handler', svg('<rect onclick="alert(1)"/>'), /contains a script/],
    ['an event handler of the root', svg('', ' onload="alert(1)"'), /contains a script/],
    ['a link with a script', svg('<a href="javascript:alert(1)"><rect/></a>'), /contains a script/],
    ['a script in a style sheet', svg('<style>&lt;script&gt;a()&lt;/script&gt;</style>'), /refers|script|web page/],
    ['a web page', svg('<foreignObject><body/></foreignObject>'), /parts of a web page/],
    ['a picture elsewhere', svg('<image href="https://evil.example/a.png"/>'), /refers to another file/],
    ['a use of another file', svg('<use xlink:href="a.svg#b"/>'), /refers to another file/],
    ['an embedded SVG', svg('<image href="data:image/svg+xml;base64,AAAA"/>'), /refers to another file/],
    ['an import', svg('<style>@import "https://evil.example/a.css"</style>'), /refers to another file/],
    ['a paint elsewhere', svg('<rect style="fill:url(https://evil.example/a)"/>'), /refers to another file/],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, /declares entities/],
    ['text', 'Our logo', /not an SVG or a PNG/],
    ['a page', '<html><svg></svg></html>', /not an SVG or a PNG/],
    ['half a file', '<svg viewBox="0 0 9 9"><path d="M0', /not an SVG or a PNG/],
  ])('is refused with %s', (_, file, sentence) => {
    expect(readSvg(file)).toEqual({ svg: null, problem: expect.stringMatching(sentence) });
  });
});
