export { parseCidrs } from './address-rules.ts'
export type { CallOptions } from './call.ts'
export { outboundConfig, refusePrivateRanges } from './config.ts'
export { connectedSocket } from './connected-socket.ts'
export { type PortRange, type Protocol, parsePorts, type UrlRules } from './destination.ts'
export {
  type AttemptFacts,
  type BlockedAddress,
  OutboundError,
  type OutboundErrorKind,
  type ResponseHeaders,
  type Stage,
  type Timings,
} from './error.ts'
export { guardParsing, type ParsingGuard } from './guarded-parsing.ts'
export type { Lookup, LookupAddress } from './lookup.ts'
export {
  type ConnectOptions,
  createOutbound,
  type HostToVet,
  type Outbound,
  type OutboundOptions,
  type VettedUrl,
} from './outbound.ts'
export type { OutboundRequest, OutboundResponse } from './request.ts'
export { globalIpv6, type SpecialRange, specialIpv4, specialIpv6 } from './special-addresses.ts'
export type { OutboundStream, OutboundStreamRequest } from './stream.ts'
