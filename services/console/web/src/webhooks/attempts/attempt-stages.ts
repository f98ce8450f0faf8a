/** Durations of an attempt in milliseconds, as the API gives them: `first_byte_ms` from sending the request. */
export interface AttemptTimings {
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  total_ms: number
}

/** A stage of an attempt, as a part of its bar. */
export interface AttemptStage {
  name: 'dns' | 'connect' | 'tls' | 'first byte' | 'rest'
  ms: number
  /** Share of the whole, 0 to 1. */
  share: number
}

/**
 * Returns the stages of an attempt in their order. Stages that were not reached, or not needed on a kept-alive
 * connection, are left out. `rest` is the remaining time: reading the body, or waiting until the attempt failed.
 */
export function stagesOf({ dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms }: AttemptTimings): AttemptStage[] {
  const measured = [
    ['dns', dns_ms],
    ['connect', connect_ms],
    ['tls', tls_ms],
    ['first byte', first_byte_ms],
  ] as const
  const known = measured.flatMap(([name, ms]) => (ms === null ? [] : [{ name, ms }]))
  const rest = total_ms - known.reduce((sum, { ms }) => sum + ms, 0)
  const stages = rest > 0 ? [...known, { name: 'rest' as const, ms: rest }] : known
  const whole = stages.reduce((sum, { ms }) => sum + ms, 0)
  return stages.map((stage) => ({ ...stage, share: whole === 0 ? 0 : stage.ms / whole }))
}
