// The schema engine is megabytes of WebAssembly that no running service needs: it is loaded when it is asked.
import type * as Drift from './drift.ts'

export const draftMigration: typeof Drift.draftMigration = async (options) =>
  (await import('./drift.ts')).draftMigration(options)

export const findDrift: typeof Drift.findDrift = async (options) => (await import('./drift.ts')).findDrift(options)
