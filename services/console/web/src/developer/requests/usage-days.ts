interface Day {
  date: string
  requests: number
  client_errors: number
  server_errors: number
}

const dayMs = 86_400_000

/** Returns the last days up to today (UTC), oldest first; a day without requests has zeros. */
export function fillDays(known: readonly Day[], count: number, now: Date): Day[] {
  const byDate = new Map(known.map((day) => [day.date, day]))
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return byDate.get(date) ?? { date, requests: 0, client_errors: 0, server_errors: 0 }
  })
}

/** Adds days up. `refused`: statuses 4xx; `failed`: 5xx. */
export function summarizeDays(days: readonly Day[]) {
  const sum = (field: 'requests' | 'client_errors' | 'server_errors') =>
    days.reduce((total, day) => total + day[field], 0)
  return {
    total: sum('requests'),
    today: days.at(-1)?.requests ?? 0,
    refused: sum('client_errors'),
    failed: sum('server_errors'),
  }
}
