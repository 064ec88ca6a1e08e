/** Where a request came from, as the front door saw it; bound as `c.env` in every Hono app. Never taken from the request itself. */
export interface ClientInfo {
  /** The visitor's address (IPv6 cut to /64), after TRUST_PROXY hops. */
  address: string;
  /** Request id, in every log line and error answer. */
  id: string;
  /** The site itself asks, for a page of the visitor: the page was counted already, what the database does for it is not. */
  forPage?: true;
}
