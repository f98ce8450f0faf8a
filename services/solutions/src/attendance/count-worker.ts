/** A worker thread of `startCountThread`: counts one week for each message. */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { loadSolver } from '../privacy/audit-lattice.ts'
import { countStaleWeek, type WeekInput } from './count-stale-week.ts'

// On Linux a priority belongs to the thread: requests come first. It can only be lowered.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

const solver = await loadSolver()

parentPort?.on('message', (input: WeekInput) => parentPort?.postMessage(countStaleWeek(input, solver)))
