/** Words that may follow a command, by command. */
export const names = {
  fleet: ['mix', 'operations', 'ramp'],
  neighbours: ['phrases', 'filters', 'drip', 'forecasts', 'slow-receivers', 'uploads', 'replays', 'tokens'],
  revocation: ['no-failure', 'auth-stopped', 'broker-stopped', 'auth-and-broker-stopped'],
  webhooks: ['latency', 'throughput', 'fan-out', 'fairness'],
} as const

export type NameOf<Command extends keyof typeof names> = (typeof names)[Command][number]

/** Returns the chosen entries of a record, or all of them if none is named. */
export const chosenEntries = <Entry>(
  record: Readonly<Record<string, Entry>>,
  chosen: readonly string[],
): [string, Entry][] => Object.entries(record).filter(([name]) => chosen.length === 0 || chosen.includes(name))
