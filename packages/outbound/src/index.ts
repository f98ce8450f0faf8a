export { isPublicAddress, parseCidrs } from './address/address-rules.ts'
export {
  credentialDestination,
  isSubUrl,
  type PortRange,
  type Protocol,
  parsePorts,
  type UrlRules,
} from './address/destination.ts'
export type { Lookup, LookupAddress } from './address/lookup.ts'
export { globalIpv6, type SpecialRange, specialIpv4, specialIpv6 } from './address/special-addresses.ts'
export { outboundConfig, outboundOptions, rejectPrivateRanges } from './config.ts'
export type { ClientCertificate } from './connection/client-certificates.ts'
export { tlsReason } from './connection/failure-reason.ts'
export {
  type AttemptDetails,
  type BlockedHost,
  OutboundError,
  type OutboundErrorKind,
  type ResponseHeaders,
  type Stage,
  type Timings,
} from './error.ts'
export type { CallOptions } from './http/call.ts'
export { integrationHeaders, secretHeaders } from './http/integration-headers.ts'
export { redactIntegrationSecrets, redactSecrets, secretsOfHeader } from './http/redact-secrets.ts'
export type { OutboundRequest, OutboundResponse } from './http/request.ts'
export { parseRetryAfterMs } from './http/retry-after.ts'
export type { OutboundStream, OutboundStreamRequest } from './http/stream.ts'
export {
  type ConnectOptions,
  createOutbound,
  type HostToValidate,
  type Outbound,
  type OutboundOptions,
  type ValidatedUrl,
} from './outbound.ts'
export type { PostgresColumn, RowChunk, TextRow } from './postgres/child-messages.ts'
export { connectPostgres, type PostgresConnection } from './postgres/connect-postgres.ts'
export { PostgresError } from './postgres/postgres-error.ts'
