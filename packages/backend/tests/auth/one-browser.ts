const cookieJar = new Map<string, string>();

/** `fetch` with a cookie jar, like one browser. */
export const asOneBrowser: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { origin } = new URL(request.url);
  const cookies = [...cookieJar]
    .filter(([key]) => key.startsWith(`${origin} `))
    .map(([key, value]) => `${key.slice(origin.length + 1)}=${value}`);
  if (cookies.length && !request.headers.has('cookie')) request.headers.set('cookie', cookies.join('; '));
  const response = await fetch(request);
  for (const cookie of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    if (/max-age=0/i.test(cookie)) cookieJar.delete(`${origin} ${name}`);
    else cookieJar.set(`${origin} ${name}`, value!);
  }
  return response;
};
