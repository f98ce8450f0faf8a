import { type Meter, type UsageDimension, usageDimensions } from '@wp/contracts'

/** The use that one event reports. */
export interface UsageEvent {
  workspaceId: string
  meter: Meter
  quantity: number
  /** Milliseconds since 1970. */
  occurredAt: number
  dimensions: Readonly<Record<string, string>>
}

/** Use of a meter in an hour. */
export interface HourlyUsage {
  workspaceId: string
  meter: Meter
  hour: Date
  quantity: number
}

/** The part of the use with one value of a dimension. */
export interface DimensionUsage extends HourlyUsage {
  dimension: UsageDimension
  value: string
}

/** Additions of a batch of events to the stored totals. */
export interface UsageAdditions {
  totals: HourlyUsage[]
  byDimension: DimensionUsage[]
  /** The workspaces of the events. */
  workspaceIds: string[]
}

export const msPerHour = 3_600_000
const maxValueLength = 100

/**
 * Adds up events by workspace, meter and hour (UTC), and by each value of the known dimensions. Every list is sorted by
 * key, so that concurrent batches write the same rows in the same order.
 */
export function aggregateUsage(events: readonly UsageEvent[]): UsageAdditions {
  const totals = new Map<string, HourlyUsage>()
  const byDimension = new Map<string, DimensionUsage>()
  for (const { workspaceId, meter, quantity, occurredAt, dimensions } of events) {
    if (quantity === 0) continue
    const hour = new Date(occurredAt - (occurredAt % msPerHour))
    const key = [workspaceId, meter, hour.toISOString()]
    add(totals, key, { workspaceId, meter, hour, quantity })
    for (const dimension of usageDimensions) {
      const value = dimensions[dimension]?.slice(0, maxValueLength)
      if (value === undefined || value === '') continue
      add(byDimension, [...key, dimension, value], { workspaceId, meter, hour, dimension, value, quantity })
    }
  }
  const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))].sort()
  return { totals: sortedValues(totals), byDimension: sortedValues(byDimension), workspaceIds }
}

function add<Row extends { quantity: number }>(rows: Map<string, Row>, key: readonly string[], row: Row): void {
  const name = JSON.stringify(key)
  const present = rows.get(name)
  if (present === undefined) rows.set(name, row)
  else present.quantity += row.quantity
}

const sortedValues = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows].sort(([first], [second]) => (first < second ? -1 : 1)).map(([, row]) => row)
