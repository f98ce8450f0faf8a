import { cutBrokerPower, fillBrokerDisk, repeatEvents, stopBroker, wipeBroker } from './broker-faults.ts'
import { loseCommitResponses, restartPostgresFast, restartPostgresImmediate } from './database-faults.ts'
import type { Fault } from './fault.ts'
import { partitionBroker, partitionDatabase } from './partition.ts'
import { killProcesses, mixReleases, replaceReleases } from './process-faults.ts'
import { skewAuthClock, skewDataClock, skewDeliveryClock } from './skew-clock.ts'

/** The load without a fault, to compare with. */
const none: Fault = { name: 'none', title: 'no fault, to compare with', seconds: 8, run: async () => 'nothing' }

/** All faults, in the order in which they are tried. */
export const faults: readonly Fault[] = [
  none,
  killProcesses,
  restartPostgresFast,
  restartPostgresImmediate,
  loseCommitResponses,
  partitionDatabase,
  stopBroker,
  wipeBroker,
  cutBrokerPower,
  fillBrokerDisk,
  partitionBroker,
  repeatEvents,
  skewDeliveryClock,
  skewDataClock,
  skewAuthClock,
  mixReleases,
  replaceReleases,
]
