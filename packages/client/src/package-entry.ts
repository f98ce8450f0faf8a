// The main entry of the published package.
export * from './browser.ts'
export { createClient } from './client.ts'
export type * from './contracts/client-type.ts'
