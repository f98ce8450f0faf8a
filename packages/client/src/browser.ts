// The entry for browsers: imports neither Node.js nor zod nor the contracts, but types.
export { type ClientOptions, createClientFromTable } from './client-from-table.ts'
export type { Client } from './client-type.ts'
export type { Credential } from './credentials.ts'
export type { EndpointEntry, EndpointTable } from './endpoint-table.ts'
export { ApiError } from './errors.ts'
export { paginate } from './paginate.ts'
export type { CallOptions } from './request.ts'
