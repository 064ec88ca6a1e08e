/** Origin of a request, set by the front server and bound as `c.env`. Never derived from the request itself. */
export interface ClientInfo {
  /** Client address (IPv6 as /64), after TRUST_PROXY hops. */
  address: string;
  id: string;
  /** Internal request of a page: already rate-limited with the page, but its database time counts. */
  forPage?: true;
  onBehalfOf?: { id: string | null; kind: string };
}
