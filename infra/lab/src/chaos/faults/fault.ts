import type { Random } from '../../random.ts'
import type { ChaosFleet } from '../fleet/chaos-fleet.ts'

/** Takes something away from a running fleet and gives it back. */
export interface Fault {
  name: string
  /** For the report: what happens. */
  title: string
  /** The time that it takes, roughly, over which the load is spread. */
  seconds: number
  /** No request may fail, because nothing is taken away. */
  isSeamless?: true
  /** Returns the reason why it cannot be tried on this machine; undefined if it can. */
  findObstacle?(chaos: ChaosFleet): string | undefined
  /** Begins and ends the fault. Returns what was done, in figures. */
  run(chaos: ChaosFleet, random: Random): Promise<string>
}
