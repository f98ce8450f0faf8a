import type { Fault } from './fault.ts'
import { fillBrokerDisk } from './fill-broker-disk.ts'
import { killProcesses } from './kill-processes.ts'
import { loseCommitResponses } from './lose-commits.ts'
import { mixReleases } from './mix-releases.ts'
import { partitionBroker, partitionDatabase } from './partition.ts'
import { repeatEvents } from './repeat-events.ts'
import { replaceReleases } from './replace-releases.ts'
import { restartPostgresFast, restartPostgresImmediate } from './restart-postgres.ts'
import { skewAuthClock, skewDataClock, skewDeliveryClock } from './skew-clock.ts'
import { cutBrokerPower, stopBroker, wipeBroker } from './stop-broker.ts'

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
