import { startMeter } from '../harness/process-meter.ts'
import { countReceived } from './backlog.ts'
import { type DeliveryFleet, serverProcesses } from './delivery-fleet.ts'
import { type Latency, measureLatency } from './latency.ts'

export interface HangingSize {
  /** Events of the other workspace, committed as fast as possible. */
  burst: number
  perSecond: number
  seconds: number
}

interface HangingRow extends Latency {
  name: string
  'hanging requests': number
}

/** Memory in MiB (PSS) after the burst, by process, and of all together. */
export type MemoryUse = Record<string, number>

/**
 * Measures the latency of a healthy endpoint alone, and while the events of another workspace go to an endpoint that
 * never responds.
 */
export async function measureHanging(
  fleet: DeliveryFleet,
  { burst, perSecond, seconds }: HangingSize,
): Promise<{ rows: HangingRow[]; memory: MemoryUse }> {
  const [healthy, hanging] = [await fleet.subscribe('/ok'), await fleet.subscribe('/hang')]
  await fleet.addProducer()
  const load = { workspaces: [healthy.workspaceId], perSecond, seconds }
  const measure = async (name: string): Promise<HangingRow> => {
    const before = await countReceived(fleet, 'hang')
    const latency = await measureLatency(fleet, load)
    return { name, ...latency, 'hanging requests': (await countReceived(fleet, 'hang')) - before }
  }
  await measureLatency(fleet, { ...load, perSecond: 100, seconds: 4 }) // warms up code and connections
  const readUse = startMeter(serverProcesses(fleet))
  const rows = [await measure('alone')]
  const other = fleet.producers[1]?.call('commit', { workspaces: [hanging.workspaceId], count: burst })
  rows.push(await measure('beside a hanging endpoint'))
  await other
  return { rows, memory: memoryOf(readUse().processes) }
}

function memoryOf(processes: readonly { name: string; pssMiB: number }[]): MemoryUse {
  const use = Object.fromEntries(processes.map(({ name, pssMiB }) => [name, Math.round(pssMiB)]))
  return { ...use, together: Math.round(processes.reduce((sum, { pssMiB }) => sum + pssMiB, 0)) }
}
