import { type billingInternal, type MeterEntry, meterSources } from '@wp/contracts'
import { withTimeout } from '@wp/runtime'
import type { z } from 'zod'

type Report = z.output<typeof billingInternal.readMeterUsage.ok>

interface Options {
  /** Reads the report of billing. */
  read: () => Promise<Report>
  deadlineMs: number
  /** Called with the error if billing did not answer in time. */
  onError: (error: unknown) => void
}

/** Reads the use of every meter in the current period. Empty, with a warning, if billing does not answer. */
export async function collectMeters({
  read,
  deadlineMs,
  onError,
}: Options): Promise<{ meters: MeterEntry[]; warnings: string[] }> {
  try {
    const { period, meters } = await withTimeout(
      deadlineMs,
      read(),
      () => new Error(`no answer within ${deadlineMs} ms`),
    )
    const entries = meters.map(({ meter, quantity, included, percent, at_limit: action }) => ({
      meter,
      service: meterSources[meter],
      period,
      quantity,
      included,
      percent,
      action,
    }))
    return { meters: entries, warnings: [] }
  } catch (error) {
    onError(error)
    return { meters: [], warnings: ['The billing service did not answer; the use of the meters is unknown'] }
  }
}
