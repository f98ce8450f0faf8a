const publicAuthorities = 'we accept certificates of public authorities only'

/** Reasons for an untrusted certificate by code of Node.js and OpenSSL, before what is accepted. */
const untrustedReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of a private authority',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority of the certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority of the certificate is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the authority of the certificate is not known, or the server does not send its intermediate certificates',
  CERT_UNTRUSTED: 'the authority of the certificate is not trusted',
}

/** Other reasons for a failed handshake, after "no trusted TLS connection to <host>: ". */
const tlsReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
  EPROTO: 'the server does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server supports no TLS version from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server supports no TLS version from 1.2 on',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the server rejected the handshake; it may require a client certificate',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'the server rejected the handshake; it may require a client certificate',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server requires a client certificate',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the server accepts HTTP/2 or another protocol only, not HTTP/1.1',
  ERR_SSL_DH_KEY_TOO_SMALL: 'the key exchange of the server is too weak',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of the certificate is too small',
  ECONNRESET: 'the server closed the connection during the handshake',
  EPIPE: 'the server closed the connection during the handshake',
}

/**
 * Returns the reason of a failed handshake, for the user who chose the host.
 * @param accepted the certificates that are accepted, as a clause
 */
export function tlsReason(code: string | undefined, accepted = publicAuthorities): string {
  const untrusted = reasonOf(untrustedReasons, code)
  if (untrusted !== undefined) return `${untrusted}; ${accepted}`
  return reasonOf(tlsReasons, code) ?? `the handshake failed${inParentheses(code)}`
}

const connectReasons: Record<string, string> = {
  ECONNREFUSED: 'refused the connection: no server listens there',
  ECONNRESET: 'closed the connection at once',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'did not answer in time',
}

/** Returns what a host did instead of accepting a connection. */
export const connectReason = (code: string | undefined): string =>
  reasonOf(connectReasons, code) ?? `did not accept a connection${inParentheses(code)}`

const reasonOf = (reasons: Record<string, string>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : undefined

const inParentheses = (code: string | undefined): string => (code === undefined ? '' : ` (${code})`)
