/**
 * Header fields of one connection, in lower case, which a proxy must not forward (RFC 9110 section 7.6.1, with those
 * that RFC 2616 section 13.5.1 lists besides). Fields named by `Connection` belong to the connection as well.
 */
export const hopByHopHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const
