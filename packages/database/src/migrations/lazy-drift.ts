// The schema engine is several megabytes of WebAssembly that running services do not need, so it is loaded on demand.
import type * as Drift from './drift.ts'

export const draftMigration: typeof Drift.draftMigration = async (options) =>
  (await import('./drift.ts')).draftMigration(options)

export const findDrift: typeof Drift.findDrift = async (options) => (await import('./drift.ts')).findDrift(options)
