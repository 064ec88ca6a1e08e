/** Where a request came from, as the front server saw it; bound as `c.env` in every Hono app. Never read from the request itself. */
export interface ClientInfo {
  /** The client's address (IPv6 cut to /64), after TRUST_PROXY hops. */
  address: string;
  /** Request id, in every log line and error response. */
  id: string;
  /** A page's own request: the page was counted already, its database time is not. */
  forPage?: true;
  /** The caller of a server function that makes this request with the service key; the audit log names them. */
  onBehalfOf?: { id: string | null; kind: string };
}
