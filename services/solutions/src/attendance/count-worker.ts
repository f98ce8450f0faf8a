/** A worker thread that counts one week for each message. */
import { answerMessages } from '../answer-messages.ts'
import { loadSolver } from '../privacy/audit-lattice.ts'
import { countStaleWeek, type WeekInput } from './count-stale-week.ts'

const solver = await loadSolver()

answerMessages((input: WeekInput) => countStaleWeek(input, solver))
